/** What administrators have corrected, as entries of the history. */

import type { CorrectionChangeRow } from '../../database/metadata/corrections.ts'
import type { Metadata } from '../../database/metadata/metadata.ts'
import { messagesFor } from '../../messages/messages.ts'
import { parseJson } from '../../protocol/json.ts'
import type { EntryView } from '../../protocol/history-view.ts'
import type { Reader } from '../../server/http/locale.ts'
import type { Catalog } from '../../table/catalog.ts'
import { own } from '../../table/definition/define-table.ts'
import { dayOf, timeOf } from '../../table/history/moments.ts'
import type { OtherEvents } from '../../table/history/other-events.ts'
import type { CorrectionDesk } from './corrections.ts'
import { textOf } from './draw.ts'

type HistoryServices = {
  readonly metadata: Pick<Metadata, 'corrections'>
  readonly corrections: Pick<CorrectionDesk, 'database'>
  readonly live: { current(): Catalog }
}

/** Only administrators know of them. */
export const correctionHistory =
  ({ metadata, corrections, live }: HistoryServices, now: () => number): OtherEvents =>
  async (actor, query, reader) => {
    if (actor.role !== 'admin') return []
    const changes = await metadata.corrections.changes(corrections.database, query)
    return changes.map((change) => entryOf(change, live.current(), now(), reader))
  }

function entryOf(
  change: CorrectionChangeRow,
  catalog: Catalog,
  now: number,
  reader: Reader,
): EntryView {
  const { id, at, byName } = change
  const { corrections } = messagesFor(reader.language).history
  return {
    ...{ id, iso: new Date(at).toISOString() },
    ...{ time: timeOf(at, reader), day: dayOf(at, now, reader) },
    ...{ who: byName, behalf: null, door: corrections.door },
    ...{
      what: whatOf(change, catalog, reader),
      fields: [],
      link: null,
      notes: [],
      isUndone: false,
    },
    undo: { may: false, why: corrections.noUndo },
    erase: null,
  }
}

function whatOf(
  { tableName, columnName, part, before, after }: CorrectionChangeRow,
  { definitions }: Catalog,
  reader: Reader,
): string {
  const words = messagesFor(reader.language).history.corrections
  // What people call them may be what has changed.
  const of = columnName === null ? tableName : words.ofColumn(columnName, tableName)
  const partWord = own<string>(words.parts, part) ?? part
  const columns = definitions.get(tableName)?.columns ?? new Map()
  const text = (value: string | null) =>
    (value === null ? '' : textOf(part, parseJson(value), { columns }, reader)) || words.none
  if (after === null) return words.back(partWord, of, text(before))
  return before === null
    ? words.first(partWord, of, text(after))
    : words.corrected(partWord, of, text(before), text(after))
}
