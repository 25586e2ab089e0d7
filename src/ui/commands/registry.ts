/** The commands of what is on the page: what the palette offers, and what each key does. */

import type { IconName } from '../parts/icon.tsx'
import { type Keys, pressedKey } from './key-names.ts'

export type Command = {
  /** What it does, as the palette names it. */
  readonly label: string
  /** Default: none. They do nothing while the person types or a dialog is open. */
  readonly keys?: Keys
  /** Names the keys in the dialog of keys; commands with the same line share it. Default: the label. */
  readonly line?: string
  /** Whether only its keys run it, because the palette has no use for it. Default: false. */
  readonly isKeyOnly?: boolean
  /** Where the focus has to be for the keys. Default: anywhere. */
  isAt?(target: Element): boolean
  /** Default: none. */
  readonly icon?: IconName
} & (
  | {
      /** Runs it. In the palette, the dialog is closed by then and the focus is back. */
      run(): unknown
      readonly href?: undefined
    }
  | {
      /** The address of a page of the admin; the palette also opens it in a new tab. */
      readonly href: string
      readonly run?: undefined
    }
)

/** The commands of one part of the page. Those that are false are left out. */
export type CommandGroup = {
  readonly title: string
  readonly commands: readonly (Command | false | undefined | null)[]
}

/** A group as it is read, without what is left out. */
export type Group = { readonly title: string; readonly commands: readonly Command[] }

export type Registry = {
  /** Adds a group that is read anew each time; returns what takes it out again. */
  add(group: () => CommandGroup, place: 'page' | 'shell'): () => void
  /** Calls `listener` when a group has been added or taken out; returns what ends that. */
  subscribe(listener: () => void): () => void
  /** All groups, the shell's first. */
  groups(): Group[]
  /** What the key does that was pressed; of two commands the page's own counts, not the shell's. */
  commandFor(event: KeyboardEvent): Command | undefined
}

/** How long after the first key of a sequence the second may come, ms. */
const SEQUENCE_MS = 1000

export function createRegistry(): Registry {
  const groups: Record<'page' | 'shell', (() => CommandGroup)[]> = { page: [], shell: [] }
  const read = (kind: 'page' | 'shell') =>
    groups[kind].map((group) => {
      const { title, commands } = group()
      return { title, commands: commands.filter((command) => !!command) }
    })
  let before = { key: '', at: -Infinity }
  const listeners = new Set<() => void>()
  const put = (place: 'page' | 'shell', next: (() => CommandGroup)[]) => {
    groups[place] = next
    for (const listener of listeners) listener()
  }
  return {
    add(group, place) {
      put(place, [...groups[place], group])
      return () =>
        put(
          place,
          groups[place].filter((other) => other !== group),
        )
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    groups: () => [...read('shell'), ...read('page')],
    commandFor(event) {
      const key = pressedKey(event)
      const isSecond = event.timeStamp - before.at < SEQUENCE_MS
      const sequence = isSecond ? `${before.key} ${key}` : key
      before = { key, at: event.timeStamp }
      const { target } = event
      const all = [...read('page'), ...read('shell')].flatMap(({ commands }) => commands)
      const isHere = ({ isAt }: Command) => !isAt || (target instanceof Element && isAt(target))
      const keyed = (keys: Keys) => all.find((command) => command.keys === keys && isHere(command))
      return keyed(sequence) ?? keyed(key)
    },
  }
}
