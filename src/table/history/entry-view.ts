/** One entry of the history as its reader sees it. */

import { messagesFor } from '../../messages/messages.ts'
import type { EntryView, UndoView } from '../../protocol/history-view.ts'
import { recordHref } from '../../protocol/record-view.ts'
import type { Actor } from '../../server/actor.ts'
import type { Reader } from '../../server/http/locale.ts'
import type { Entry } from '../changes/ledger.ts'
import type { SeenImage } from '../changes/seen-images.ts'
import { describeEntry, fullLabelOf, labelOf, type Told } from './describe.ts'
import { drawErase, goneRow, mayErase } from './erasures.ts'
import { dayOf, timeOf } from './moments.ts'
import type { Referred } from './referred.ts'

export type EntryContext = {
  readonly actor: Actor
  readonly reader: Reader
  /** The time, ms. */
  readonly now: number
  /** Address of a table's listing. */
  href(table: string): string
  /** The rows that changed references are about, by their labels. */
  readonly referred: Referred
  /** The entries that have taken the shown ones back, by id. */
  readonly undoing: ReadonlyMap<string, Entry>
}

export function drawEntry(told: Told, context: EntryContext): EntryView {
  const { entry } = told
  const { reader, now, referred } = context
  const { history } = messagesFor(reader.language)
  const link = linkTo(told.seen, context)
  const isLinked = link !== null
  const { notes, ...described } = describeEntry(told, { reader, referred, isLinked })
  return {
    id: entry.id,
    iso: new Date(entry.at).toISOString(),
    time: timeOf(entry.at, reader),
    day: dayOf(entry.at, now, reader),
    who: entry.by.name,
    behalf: entry.behalf?.name ?? null,
    door: history.doors[entry.door],
    ...described,
    notes: [...notes, ...remarksOn(entry, context)],
    link,
    isUndone: undoneBy(entry, context) !== undefined,
    undo: undoOf(told, context),
    erase: eraseOf(told, context),
  }
}

function eraseOf(told: Told, { actor, reader }: EntryContext): EntryView['erase'] {
  const gone = mayErase(actor) ? goneRow(told) : undefined
  return gone ? drawErase(fullLabelOf(gone, reader), { reader, isGone: true }) : null
}

function remarksOn(entry: Entry, context: EntryContext): string[] {
  const { reader } = context
  const { history } = messagesFor(reader.language)
  const by = undoneBy(entry, context)
  return [
    ...(entry.state === 'pending' ? [history.pending] : []),
    ...(entry.state === 'uncertain' ? [history.uncertain] : []),
    ...(entry.hook === 'failed' ? [history.hookFailed] : []),
    ...(by ? [history.undoneBy(by.by.name, timeOf(by.at, reader))] : []),
  ]
}

/** The entry that has taken this one back last, unless it was taken back itself. */
function undoneBy({ undoneBy }: Entry, { undoing }: EntryContext): Entry | undefined {
  const last = undoing.get(undoneBy.findLast((id) => undoing.has(id)) ?? '')
  return last && last.undoneBy.length === 0 ? last : undefined
}

/** The row, where the change is about one that still has a page. */
function linkTo(seen: readonly SeenImage[], { reader, href }: EntryContext): EntryView['link'] {
  const [only, ...others] = seen.filter(({ image }) => !image.cascaded)
  if (!only || others.length > 0 || !only.current) return null
  const key = only.open.keys.record(only.image.key)
  if (key === null) return null
  return {
    href: recordHref(href(only.open.access.table.name), key, ''),
    label: labelOf(only, reader),
  }
}

const OPPOSITE = { added: 'delete', changed: 'update', deleted: 'create' } as const

/** Whether Undo is offered; which rows have changed since is found out once somebody asks for it. */
function undoOf({ entry, seen }: Told, context: EntryContext): UndoView {
  const { noUndo } = messagesFor(context.reader.language).history
  const not = (why: string): UndoView => ({ may: false, why })
  if (entry.state !== 'done')
    return not(entry.state === 'pending' ? noUndo.pending : noUndo.uncertain)
  if (undoneBy(entry, context)) return not(noUndo.undone)
  if (entry.lacks.some(({ columns }) => columns.length === 0)) return not(noUndo.lacking)
  if (!seen.every(({ open }) => open.takesChanges)) return not(noUndo.readOnly)
  const isAllowed = seen.some(({ image: { before, after }, open: { access } }) =>
    access.may(OPPOSITE[before === null ? 'added' : after === null ? 'deleted' : 'changed']),
  )
  return isAllowed ? { may: true } : not(noUndo.forbidden)
}
