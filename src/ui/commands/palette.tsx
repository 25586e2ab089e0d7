/** The palette: everything that can be found or done, in one list, by typing. */

import {
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import type { ShellComponent, ShellView } from '../../protocol/admin-view.ts'
import { LOADING_DELAYS_MS, SEARCH_MAX } from '../../protocol/constants.ts'
import { useRuntime } from '../../react/runtime-context.tsx'
import { useComponent, useFailure, usePage } from '../../react/use-component.ts'
import { Icon } from '../parts/icon.tsx'
import { useDelayed } from '../../react/use-delayed.ts'
import { useClickOutside } from '../parts/modal.tsx'
import { useMessages } from '../parts/use-messages.ts'
import { useRegistry } from './commands.tsx'
import { isMac } from './is-mac.ts'
import { capsOf } from './key-caps.ts'
import { type Item, sectionsOf } from './palette-items.ts'
import { PaletteList } from './palette-list.tsx'
import { recentOf, remember } from './recent.ts'
import type { DialogProps } from './shell-commands.tsx'
import { type Find, useFind } from './use-find.ts'
import { useGroups } from './use-groups.ts'

/** Nothing shows of a search that takes no longer than this, ms. */
const SEARCHING_AFTER_MS = LOADING_DELAYS_MS.short

/** Alone, this is not searched for: it opens the dialog of all keys. */
const ALL_KEYS = '?'

export function Palette({ shell, typed, onClose }: DialogProps) {
  const { commands: messages } = useMessages()
  const [text, setText] = useState(() => typed.replaceAll('\n', ''))
  const { view } = useComponent<ShellComponent>(shell)
  const find = useFind(shell, text)
  const dialog = useOpened()
  const { sections, choose } = useOffer({ view, text, find, close: () => dialog.current?.close() })
  const items = sections.flatMap((section) => section.items)
  const { active, move, follow } = useActive(items, text, find.isSearching)
  const enter = useEnter(typed.endsWith('\n'), { active, isSearching: find.isSearching, choose })
  useAllKeys(text)
  const id = useId()
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Enter') enter.press(event.ctrlKey || event.metaKey)
    else if (!move(event.key)) return
    event.preventDefault()
  }
  const type = (next: string) => {
    enter.forget()
    setText(next)
  }
  const outside = useClickOutside(() => dialog.current?.close())
  return (
    <dialog
      ref={dialog}
      className="dialog palette"
      aria-label={messages.title}
      {...outside}
      onClose={onClose}
    >
      <div className="sheet">
        <div className="ask">
          <Icon name="search" />
          <input
            type="text"
            role="combobox"
            aria-label={messages.find}
            aria-expanded={items.length > 0}
            aria-controls={id}
            aria-autocomplete="list"
            aria-activedescendant={active && `${id}-${items.indexOf(active)}`}
            placeholder={messages.find}
            autoComplete="off"
            spellCheck={false}
            maxLength={SEARCH_MAX}
            value={text}
            onChange={(event) => type(event.target.value)}
            onKeyDown={onKeyDown}
          />
          <Escape onClick={() => dialog.current?.close()} />
        </div>
        <Waiting find={find} />
        <Outcome
          text={text.trim()}
          count={items.filter(({ isFallback }) => !isFallback).length}
          find={find}
        >
          <PaletteList {...{ id, sections, active, text, follow, choose }} />
        </Outcome>
        <Hints />
      </div>
    </dialog>
  )
}

/** Opens the dialog with it; closing gives the focus back. */
function useOpened() {
  const dialog = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => {
    const element = dialog.current
    element?.showModal()
    const field = element?.querySelector('input')
    field?.focus()
    // Typing goes on after the text that was typed meanwhile.
    field?.setSelectionRange(field.value.length, field.value.length)
    return () => element?.close()
  }, [])
  return dialog
}

type OfferProps = {
  view: ShellView
  text: string
  find: Find
  close(): void
}

/** What is offered, and what choosing it does. */
function useOffer({ view, text, find, close }: OfferProps) {
  const { commands: messages } = useMessages()
  const { visit } = useRuntime()
  const person = view.user.email
  const [recent] = useState(() => recentOf(person))
  const groups = useGroups()
  // The page's own come first: they are why one is here.
  const commands = groups.toReversed().flatMap((group) => group.commands)
  const { current } = usePage()
  const { records, lists } = find
  const { groups: tables } = view
  const offer = { text, groups: tables, commands, recent, records, current, lists, messages }
  const sections = sectionsOf(offer)
  const choose = (item: Item, inNewTab: boolean) => {
    if (item.run && inNewTab) return
    if (item.href !== undefined && item.isPlace) remember(person, item)
    if (item.href !== undefined && inNewTab)
      return void window.open(item.href, '_blank', 'noopener')
    // The focus is back where it was before anything happens there.
    close()
    if (item.run) item.run()
    else void visit(item.href)
  }
  return { sections, choose }
}

/** The option that Enter chooses: the first, until the person moves to another; none if it may not stay the first. */
function useActive(items: readonly Item[], text: string, isSearching: boolean) {
  const [moved, setMoved] = useState<{ text: string; id: string } | null>(null)
  const found = items.findIndex(({ id }) => moved?.text === text && moved.id === id)
  const at = Math.max(0, found)
  const follow = ({ id }: Item) => setMoved({ text, id })
  const move = (key: string): boolean => {
    const last = items.length - 1
    const places: { readonly [key: string]: number } = {
      ArrowDown: at === last ? 0 : at + 1,
      ArrowUp: at === 0 ? last : at - 1,
      Home: 0,
      End: last,
    }
    const item = items[places[key] ?? -1]
    if (item) follow(item)
    return item !== undefined
  }
  const isEarly = found < 0 && isSearching && items[0]?.isFallback
  return { active: isEarly ? undefined : items[at], move, follow }
}

function useAllKeys(text: string): void {
  const { open } = useRegistry()
  useEffect(() => {
    if (text === ALL_KEYS) open('keys')
  }, [text, open])
}

type EnterProps = {
  active: Item | undefined
  isSearching: boolean
  choose(item: Item, inNewTab: boolean): void
}

/** Enter is about the text that stands there, so without an option it waits for what that one finds. */
function useEnter(isPressed: boolean, { active, isSearching, choose }: EnterProps) {
  const awaited = useRef(isPressed ? { inNewTab: false } : null)
  const settle = () => {
    if (!awaited.current || (!active && isSearching)) return
    const { inNewTab } = awaited.current
    awaited.current = null
    if (active) choose(active, inNewTab)
  }
  useEffect(settle)
  return {
    press(inNewTab: boolean) {
      awaited.current = { inNewTab }
      settle()
    },
    forget() {
      awaited.current = null
    },
  }
}

function Escape({ onClick }: { onClick(): void }) {
  const { commands, shell } = useMessages()
  return (
    <button type="button" className="esc" onClick={onClick}>
      <kbd>{commands.esc}</kbd>
      <span className="sr"> {shell.close}</span>
    </button>
  )
}

/** A bar while records are searched for longer than an eye notices, and why it takes so long. */
function Waiting({ find }: { find: Find }) {
  const { commands, failures } = useMessages()
  const failure = useFailure()
  const isLate = useDelayed(find.isSearching, SEARCHING_AFTER_MS)
  const text =
    failure?.kind === 'offline'
      ? failures.offlineStatus
      : failure?.kind === 'busy'
        ? failures.busyStatus
        : null
  return (
    <>
      {isLate && <span className="progress" role="progressbar" aria-label={commands.searching} />}
      <p className="note" role="status" hidden={!isLate || text === null}>
        {isLate && text}
      </p>
    </>
  )
}

type OutcomeProps = { text: string; count: number; find: Find; children: ReactNode }

/**
 * The list with notes on the search: nothing found, a failure, what was left out; how much was found is only read
 * out. `count` is that of what was found.
 */
function Outcome({ text, count, find, children }: OutcomeProps) {
  const { commands, language } = useMessages()
  const isNothing = count === 0 && !find.isSearching && !find.hasFailed
  const results = commands.count({ count, text: count.toLocaleString(language) })
  return (
    <>
      {isNothing && (
        <div className="nothing">
          <b>{commands.nothingTitle(text)}</b>
          <p>{commands.nothingText}</p>
        </div>
      )}
      {children}
      {find.note !== null && (
        <p className="note">
          {find.note}
          {find.isPartial && <Again find={find} />}
        </p>
      )}
      {find.hasFailed && (
        <p className="note bad" role="alert">
          <Icon name="warning" />
          {commands.failed}
          <Again find={find} />
        </p>
      )}
      <p className="sr" role="status">
        {find.isSearching ? '' : isNothing ? commands.nothingTitle(text) : text && results}
      </p>
    </>
  )
}

function Again({ find }: { find: Find }) {
  const { commands } = useMessages()
  return (
    <button
      type="button"
      className="btn line"
      onClick={({ currentTarget }) => {
        // It goes while it is searched, and what is typed or chosen then is the field's.
        currentTarget.closest('dialog')?.querySelector('input')?.focus()
        find.again()
      }}
    >
      {commands.tryAgain}
    </button>
  )
}

function Hints() {
  const { commands } = useMessages()
  const hints: [keys: string[], text: string][] = [
    [['↑', '↓'], commands.move],
    [['↵'], commands.choose],
    [[...capsOf('Mod+↵', isMac())], commands.newTab],
    [[ALL_KEYS], commands.allKeys],
  ]
  return (
    <p className="hints" aria-hidden="true">
      {hints.map(([keys, text]) => (
        <span key={text}>
          {keys.map((key) => (
            <kbd key={key}>{key}</kbd>
          ))}
          {text}
        </span>
      ))}
    </p>
  )
}
