/** How a row has gone, as far as its reader may know: by whom it was deleted, or its creation taken back. */

import { messagesFor } from '../../messages/messages.ts'
import type { Actor } from '../../server/actor.ts'
import type { Reader } from '../../server/http/locale.ts'
import type { KeyValues } from '../source/value.ts'
import { findEntries, type HistoryServices } from './entries.ts'
import { timeOf } from './moments.ts'

export type GoneRow = { readonly table: string; readonly key: KeyValues }

/** In a sentence; `null` where the history does not tell. */
export async function howGone(
  services: HistoryServices,
  actor: Actor,
  { table, key }: GoneRow,
  reader: Reader,
): Promise<string | null> {
  const { told } = await findEntries(services, actor, { table, key, size: 1 })
  const [last] = told
  const isGone = last?.seen.some(({ image }) => image.table === table && image.after === null)
  if (!last || !isGone || last.entry.state !== 'done') return null
  const { history } = messagesFor(reader.language)
  const { by, at, door } = last.entry
  const say = door === 'undo' ? history.gone.undone : history.gone.deleted
  return say(by.name, timeOf(at, reader))
}
