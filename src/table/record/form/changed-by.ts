/** Who last changed fields of a row, and when, as far as the history knows it. */

import { messagesFor } from '../../../messages/messages.ts'
import type { Reader } from '../../../server/http/locale.ts'
import { digestOf } from '../../../server/upload/inspected.ts'
import type { OpenTable } from '../../catalog.ts'
import type { Entry, Ledger } from '../../changes/ledger.ts'
import { timeOf } from '../../history/moments.ts'
import { type ImageValue, type ImageValues, isKept } from '../../source/ledger-entry.ts'
import type { KeyValues, Value } from '../../source/value.ts'
import type { Values } from '../../source/write-unit.ts'
import { textOfField } from './bytes-field.ts'

/** Changes of the row that are looked through: what a form was opened with is seldom older. */
const LOOKED_THROUGH = 10

type Asked = {
  readonly open: OpenTable
  readonly key: KeyValues
  /** The fields that are asked about, and what they hold now. Only such as the actor may read. */
  readonly values: Values
  readonly reader: Reader
}

/**
 * A sentence for each field. Where the last change that is known has left something else than the row holds,
 * somebody has written past Tablewire.
 */
export async function changedBy(
  ledger: Pick<Ledger, 'list' | 'images'>,
  { open, key, values, reader }: Asked,
): Promise<{ [column: string]: string }> {
  const { form } = messagesFor(reader.language)
  const found = new Map<string, string>()
  for await (const { entry, left } of changesOf(ledger, open.access.table.name, key))
    for (const [column, value] of Object.entries(values)) {
      const last = left[column]
      if (last === undefined || found.has(column)) continue
      const isIts = isSame(last, value)
      // Of a change whose outcome is not known yet, the row itself says whether it was written.
      if (entry.state !== 'done' && !isIts) continue
      const when = timeOf(entry.at, reader)
      found.set(column, isIts ? form.changedBy(entry.by.name, when) : form.changedOutside)
    }
  return Object.fromEntries(
    Object.keys(values).map((column) => [column, found.get(column) ?? form.changedOutside]),
  )
}

/** Whether a change has left what the row holds. Large values are known by their digests. */
function isSame(last: ImageValue, value: Value): boolean {
  if (isKept(last)) return textOfField(last, undefined) === textOfField(value, undefined)
  if (!('digest' in last) || (typeof value !== 'string' && !(value instanceof Uint8Array)))
    return false
  const digest = digestOf(typeof value === 'string' ? Buffer.from(value) : value)
  return digest === Buffer.from(last.digest, 'hex').toString('base64url')
}

/** What the last changes of a row have left in it, the newest first. */
async function* changesOf(
  ledger: Pick<Ledger, 'list' | 'images'>,
  table: string,
  key: KeyValues,
): AsyncGenerator<{ readonly entry: Entry; readonly left: ImageValues }> {
  const entries = await ledger.list({ table, key, size: LOOKED_THROUGH })
  for (const entry of entries)
    for await (const images of ledger.images(entry.id, { table, key }))
      for (const { after } of images) yield { entry, left: after ?? {} }
}
