/** Lets any part of a page declare commands: the palette offers them, and their keys run them. */

import { createContext, type ReactNode, useContext, useEffect, useRef, useState } from 'react'
import type { Runtime } from '../../client/runtime.ts'
import { useRuntime } from '../../react/runtime-context.tsx'
import { type Command, type CommandGroup, createRegistry, type Registry } from './registry.ts'
import { isShortcut, isTyping } from '../parts/is-shortcut.ts'

/** What opens the palette, or the dialog of all keys. */
export type Opened = 'palette' | 'keys'

type Commands = { readonly registry: Registry; open(what: Opened): void }

const CommandsContext = createContext<Commands | null>(null)

/** Holds the commands of everything below it, and listens for their keys. */
export function CommandsProvider(props: { open(what: Opened): void; children: ReactNode }) {
  const [registry] = useState(createRegistry)
  const { visit } = useRuntime()
  useEffect(() => listen(registry, visit), [registry, visit])
  return <CommandsContext value={{ registry, open: props.open }}>{props.children}</CommandsContext>
}

/** The commands of this page. Throws outside a `CommandsProvider`. */
export function useRegistry(): Commands {
  const commands = useContext(CommandsContext)
  if (!commands) throw new Error('No commands. Wrap the tree in <CommandsProvider>.')
  return commands
}

/**
 * Declares what can be done on this page while the component is mounted: the palette offers it, keys
 * run it, and the dialog behind `?` lists them. `title` heads its lines there. Without the admin's shell
 * around it, nothing happens.
 *
 * @example
 * useCommands('Board', [
 *   { label: 'Take the next', keys: 'n', run: () => call.take() },
 *   isMine && { label: 'Put back', run: () => call.putBack() },
 * ])
 */
export function useCommands(title: string, commands: CommandGroup['commands']): void {
  useGroup({ title, commands }, 'page')
}

/** Declares what can be done on every page. A page may use the keys for something else. */
export function useShellCommands(title: string, commands: readonly Command[]): void {
  useGroup({ title, commands }, 'shell')
}

function useGroup(group: CommandGroup, place: 'page' | 'shell'): void {
  const registry = useContext(CommandsContext)?.registry
  const current = useRef(group)
  useEffect(() => {
    current.current = group
  })
  useEffect(() => registry?.add(() => current.current, place), [registry, place])
}

function listen(registry: Registry, visit: Runtime['visit']): () => void {
  const onKey = (event: KeyboardEvent) => {
    if (event.defaultPrevented || !isFree(event)) return
    const command = registry.commandFor(event)
    if (!command) return
    event.preventDefault()
    if (command.run) command.run()
    else void visit(command.href)
  }
  document.addEventListener('keydown', onKey)
  return () => document.removeEventListener('keydown', onKey)
}

/**
 * Whether a key press may run a command: no open dialog, and no text field but with Ctrl or Cmd, which there
 * selects, copies or takes back what is typed.
 */
function isFree(event: KeyboardEvent): boolean {
  const { key, altKey, ctrlKey, metaKey, isComposing, target } = event
  if (!ctrlKey && !metaKey) return isShortcut(event)
  const isText = isTyping(target) && !(target instanceof HTMLSelectElement)
  if (isText && OF_FIELDS.has(key.toLowerCase())) return false
  return !altKey && !isComposing && !document.querySelector('dialog[open]')
}

/** What Ctrl or Cmd does with these in a text field is the browser's. */
const OF_FIELDS: ReadonlySet<string> = new Set('acvxyz')
