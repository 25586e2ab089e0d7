/** Offers bulk changes on a list: beside the selection, in its menu, for one row, and by keys. */

import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { isNone, type Selected } from '../../protocol/selection.ts'
import type { TableView } from '../../protocol/table-view.ts'
import type { TableComponent } from '../../protocol/table-component.ts'
import { useComponent } from '../../react/use-component.ts'
import { useCommands } from '../commands/commands.tsx'
import { capsOf } from '../commands/key-caps.ts'
import { isMac } from '../commands/is-mac.ts'
import { laterPart } from '../later-part.tsx'
import { BULK_ID, VERBS_ID } from '../list/menu-ids.ts'
import { useDrawn } from '../list/use-drawn.ts'
import { Icon } from '../parts/icon.tsx'
import { moveInMenu } from '../parts/menu.tsx'
import { useMessages } from '../parts/use-messages.ts'
import { ExportForm } from '../selection/export-form.tsx'
import type { Selecting } from '../selection/use-selecting.ts'
import type { Selection } from '../selection/use-selection.ts'
import { BulkIcon } from './bulk-icon.tsx'
import { useBulkWords } from './use-bulk-words.ts'
import { createFlow, type Flow } from './flow.ts'
import { useTell } from './use-tell.ts'
import { useVoidAfterMove } from './use-void-after-move.ts'
import { type Begun, type Verb, verbsOf } from './verbs.ts'

const BulkDialog = laterPart(async () => (await import('./bulk-dialog.tsx')).BulkDialog)

/** What was begun, how many rows it is about, in words, and the steps that it goes through. */
export type Opened = { readonly begun: Begun; readonly count: string; readonly flow: Flow }

type Props = { component: string; view: TableView; selecting: Selecting }

/** What can be done with one row, and what begins it. */
export type RowVerbs = { readonly verbs: readonly Verb[]; begin(verb: Verb, row: string): void }

export function useBulk({ component, view, selecting }: Props) {
  const words = useBulkWords()
  const { keys } = useMessages()
  const [opened, open] = useState<Opened | null>(null)
  const close = useCallback(() => open(null), [])
  useVoidAfterMove(opened?.flow, close)
  const { bulk: offer, left } = view
  const again = left?.again ?? null
  const { selection, selected, count } = selecting
  const verbs = useMemo(() => (offer ? verbsOf(offer, words, again) : []), [offer, words, again])
  const isSome = selection !== null && !isNone(selected)
  const beginFlow = useBeginFlow(component)
  const begin = ({ begin: begun }: Verb) =>
    open({ begun, count: count.text, flow: beginFlow(begun, selected, selection) })
  useCommands(
    keys.selection,
    verbs.map((verb) => ({
      ...{ label: verb.label.replace(/…$/, ''), ...(verb.keys && { keys: verb.keys }) },
      // Its key is listed even while there is nothing that it could change.
      ...{ isKeyOnly: !isSome, isAt: () => isSome },
      run: () => begin(verb),
    })),
  )
  const row = useMemo(
    (): RowVerbs => ({
      verbs,
      begin: ({ begin: begun }, key) =>
        open({ begun, count: '1', flow: beginFlow(begun, [key], null) }),
    }),
    [verbs, beginFlow],
  )
  return {
    row,
    parts: (
      <>
        <InBar verbs={verbs} begin={begin} isSome={isSome} words={words.verbs} />
        <InMenu {...{ view, selected, begin }} verbs={isSome ? verbs : []} />
        {opened && <BulkDialog {...{ component, close }} {...opened} table={view.name} />}
      </>
    ),
  }
}

/** Begins the steps of a change; `selection` is cleared once it is written. */
function useBeginFlow(component: string) {
  // What is drawn may be behind it.
  const { view, call, cancellable } = useComponent<TableComponent>(component)
  const tell = useTell(view)
  const latest = useRef({ tell, view })
  useEffect(() => {
    latest.current = { tell, view }
  })
  return useCallback(
    (begun: Begun, selected: Selected, selection: Selection | null): Flow => {
      const { view: before } = latest.current
      const flow = createFlow({
        calls: {
          seal: (asked, ask, signal) => cancellable(signal).seal(asked, ask),
          tryPlan: (handle) => call.tryPlan(handle),
          writePlan: (handle, typed) => call.writePlan(handle, typed),
          dropPlan: (handle) => call.dropPlan(handle),
        },
        ...{ selected, hasForm: begun.form !== null },
        tell: (result) => latest.current.tell(result, { before, selection }),
      })
      if (begun.form === null) void flow.seal(begun.ask)
      return flow
    },
    [call, cancellable],
  )
}

type InBarProps = {
  verbs: readonly Verb[]
  begin(verb: Verb): void
  isSome: boolean
  words: { readonly export: string; readonly again: string }
}

/** The most common ones, beside the menu where there is room. */
function InBar({ verbs, begin, isSome, words }: InBarProps) {
  const place = useDrawn(VERBS_ID)
  const shown = verbs.filter(({ id }) => id === 'again' || id === 'edit')
  if (!place || !isSome) return null
  const exportRows = () =>
    document.querySelector<HTMLElement>(`#${BULK_ID}-menu [type=submit]`)?.click()
  return createPortal(
    <>
      {shown.map((verb) => (
        <button key={verb.id} type="button" className="btn" onClick={() => begin(verb)}>
          <BulkIcon name={verb.icon} />
          {verb.id === 'again' ? words.again : verb.label}
        </button>
      ))}
      <button type="button" className="btn" onClick={exportRows}>
        <Icon name="export" />
        {words.export}
      </button>
    </>,
    place,
  )
}

type InMenuProps = {
  view: TableView
  selected: Selected
  verbs: readonly Verb[]
  begin(verb: Verb): void
}

/** What takes rows away stands last. */
function InMenu({ view, selected, verbs, begin }: InMenuProps) {
  const place = useDrawn(`${BULK_ID}-menu`)
  if (!place) return null
  const first = verbs.filter(({ isDangerous }) => !isDangerous)
  const last = verbs.filter(({ isDangerous }) => isDangerous)
  const choose = (verb: Verb) => {
    place.hidePopover()
    begin(verb)
  }
  return createPortal(
    // React's events do not reach the menu from here.
    <div className="later" onKeyDown={moveInMenu}>
      <VerbItems verbs={first} choose={choose} />
      {first.length > 0 && <hr />}
      <ExportForm view={view} selected={selected} />
      {last.length > 0 && <hr />}
      <VerbItems verbs={last} choose={choose} />
    </div>,
    place,
  )
}

type VerbItemsProps = {
  verbs: readonly Verb[] | undefined
  choose(verb: Verb): void
  /** Whether their keys are about other rows. */
  hasKeys?: boolean
}

/** Items of a menu. */
export const VerbItems = ({ verbs = [], choose, hasKeys = true }: VerbItemsProps) =>
  verbs.map((verb) => (
    <button
      key={verb.id}
      type="button"
      role="menuitem"
      className={verb.isDangerous ? 'item bad' : 'item'}
      onClick={() => choose(verb)}
    >
      <BulkIcon name={verb.icon} />
      {verb.label}
      {hasKeys && verb.keys && (
        <span className="end" aria-hidden="true">
          {capsOf(verb.keys, isMac()).map((cap) => (
            <kbd key={cap}>{cap}</kbd>
          ))}
        </span>
      )}
    </button>
  ))
