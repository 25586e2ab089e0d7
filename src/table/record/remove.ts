/** Deletes a row, or marks it as deleted, through the way by which rows change, and says what became of it. */

import { messagesFor } from '../../messages/messages.ts'
import type { MarkResult, RemoveResult } from '../../protocol/form-view.ts'
import type { Actor } from '../../server/actor.ts'
import { AppError } from '../../server/app-error.ts'
import type { Reader } from '../../server/http/locale.ts'
import type { OpenTable } from '../catalog.ts'
import type { ChangeDoor } from '../changes/door.ts'
import { problemText } from '../changes/problem-text.ts'
import type { KeyValues } from '../source/value.ts'
import type { RowChange } from '../source/write-unit.ts'
import type { RowSource } from '../source/row-source.ts'
import { marking, markOf } from './marking.ts'
import { rowName } from './name.ts'
import { namingColumns } from './telling.ts'

export type ChangedRow = {
  readonly open: OpenTable
  readonly actor: Actor
  readonly reader: Reader
  readonly key: string
}

/** The way by which rows change, and where they are read. */
type Services = { readonly door: ChangeDoor; readonly source: Pick<RowSource, 'row'> }

/** `listHref`: address of the list to which a deletion leads. Throws `NOT_FOUND` for a key that is none. */
export async function removeRow(
  services: Services,
  { listHref: href, ...row }: ChangedRow & { readonly listHref: string },
): Promise<RemoveResult> {
  const { name, ...outcome } = await change(services, row, (key) => ({ delete: key }))
  if (outcome.status === 'refused') return outcome
  const text = messagesFor(row.reader.language).form.deleted(name)
  // Undo is not offered for what it could not bring back.
  const entry = outcome.lacks ? null : outcome.entry
  return { status: 'removed', text, entry, href }
}

/** Throws `NOT_FOUND` where the table has no such mark. */
export async function markRow(
  services: Services,
  row: ChangedRow,
  isDeleted: boolean,
): Promise<MarkResult> {
  const { marked, restored } = messagesFor(row.reader.language).form.marking
  const column = markOf(row.open)
  if (column === undefined) throw new AppError('NOT_FOUND')
  const { name, ...outcome } = await change(services, row, (key) =>
    marking(row.open, column, key, isDeleted),
  )
  if (outcome.status === 'refused') return outcome
  return { status: 'done', text: (isDeleted ? marked : restored)(name), entry: outcome.entry }
}

/** Changes the row, or says in words why not; and what it is called. */
async function change(
  { door, source }: Services,
  { open, actor, reader, key: text }: ChangedRow,
  changeOf: (key: KeyValues) => RowChange,
) {
  const key = open.keys.read(text)
  if (!key) throw new AppError('NOT_FOUND')
  const name = await nameOf(source, open, key, reader)
  const outcome = await door.save(actor, {
    ...{ door: 'form', tables: [{ table: open.access.table.name, rows: [changeOf(key)] }] },
  })
  if (outcome.status === 'done') return { ...outcome, name }
  const texts = outcome.problems.map((one) => problemText(one, open.definition, reader))
  return { status: 'refused' as const, text: texts.join(' '), name }
}

/** What the row is called, as long as it is there. */
async function nameOf(
  source: Services['source'],
  open: OpenTable,
  key: KeyValues,
  reader: Reader,
): Promise<string> {
  const columns = namingColumns(open)
  const row = columns.length > 0 ? await source.row(open.access, key, { columns }) : undefined
  const valueOf = (column: string) => {
    const place = columns.indexOf(column)
    return row?.masked?.has(place) ? undefined : row?.values[place]
  }
  return rowName(open, key, valueOf, reader)
}
