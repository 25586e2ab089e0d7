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
import { marking, markOf } from './marking.ts'

export type ChangedRow = {
  readonly open: OpenTable
  readonly actor: Actor
  readonly reader: Reader
  readonly key: string
}

/** `listHref`: address of the list to which a deletion leads. Throws `NOT_FOUND` for a key that is none. */
export async function removeRow(
  door: ChangeDoor,
  { listHref: href, ...row }: ChangedRow & { readonly listHref: string },
): Promise<RemoveResult> {
  const outcome = await change(door, row, (key) => ({ delete: key }))
  if (outcome.status === 'refused') return outcome
  const { deleted: text } = messagesFor(row.reader.language).form
  // Undo is not offered for what it could not bring back.
  const entry = outcome.lacks ? null : outcome.entry
  return { status: 'removed', text, entry, href }
}

/** Throws `NOT_FOUND` where the table has no such mark. */
export async function markRow(
  door: ChangeDoor,
  row: ChangedRow,
  isDeleted: boolean,
): Promise<MarkResult> {
  const { marked, restored } = messagesFor(row.reader.language).form.marking
  const column = markOf(row.open)
  if (column === undefined) throw new AppError('NOT_FOUND')
  const outcome = await change(door, row, (key) => marking(column, key, isDeleted))
  if (outcome.status === 'refused') return outcome
  return { status: 'done', text: isDeleted ? marked : restored, entry: outcome.entry }
}

/** Changes the row, or says in words why not. */
async function change(
  door: ChangeDoor,
  { open, actor, reader, key: text }: ChangedRow,
  changeOf: (key: KeyValues) => RowChange,
) {
  const key = open.keys.read(text)
  if (!key) throw new AppError('NOT_FOUND')
  const outcome = await door.save(actor, {
    ...{ door: 'form', tables: [{ table: open.access.table.name, rows: [changeOf(key)] }] },
  })
  if (outcome.status === 'done') return outcome
  const texts = outcome.problems.map((one) => problemText(one, open.definition, reader))
  return { status: 'refused' as const, text: texts.join(' ') }
}
