/** Erasing the history of a row, by an administrator, and that it was erased. */

import { messagesFor } from '../../messages/messages.ts'
import type { EntryView, EraseView } from '../../protocol/history-view.ts'
import type { Actor } from '../../server/actor.ts'
import type { Reader } from '../../server/http/locale.ts'
import type { Catalog } from '../catalog.ts'
import type { EntryQuery, Erasure, Ledger } from '../changes/ledger.ts'
import type { SeenImage } from '../changes/seen-images.ts'
import type { Told } from './describe.ts'
import { dayOf, timeOf } from './moments.ts'

export const mayErase = ({ role }: Actor): boolean => role === 'admin'

/** Most of them beside a page of entries. */
const SOME = 50

/**
 * Those between the entries of a page, of tables of which the actor may see all rows: of others, they would
 * tell that there is a row.
 */
export async function findErasures(
  { catalog, ledger }: { catalog(): Catalog; readonly ledger: Pick<Ledger, 'erasures'> },
  actor: Actor,
  { door, after, ...query }: EntryQuery,
  older: { readonly at: number } | undefined,
): Promise<readonly Erasure[]> {
  if (door !== undefined) return []
  const since = Math.max(query.since ?? 0, older?.at ?? 0)
  const until = after?.at
  const found = await ledger.erasures({
    ...{ ...query, since, size: SOME },
    ...(until !== undefined && { until }),
  })
  return found.filter(({ table }) => catalog().find(actor, table)?.access.seesAllRows)
}

export function drawErasure(
  { id, at, by, table }: Erasure,
  { catalog, reader, now }: { catalog: Catalog; actor: Actor; reader: Reader; now: number },
): EntryView {
  const { history } = messagesFor(reader.language)
  const label = catalog.definitions.get(table)?.label ?? table
  return {
    ...{
      id,
      iso: new Date(at).toISOString(),
      time: timeOf(at, reader),
      day: dayOf(at, now, reader),
    },
    ...{ who: by.name, behalf: null, door: history.erasing.door },
    ...{ what: history.erasing.done(label), fields: [], link: null, notes: [], isUndone: false },
    undo: { may: false, why: history.erasing.noUndo },
    erase: null,
  }
}

/** The one row that an entry is about, if it is gone: it has no page from which its history could be erased. */
export function goneRow({ seen }: Told): SeenImage | undefined {
  const [only, ...others] = seen.filter(({ image }) => !image.cascaded)
  return only && others.length === 0 && !only.current ? only : undefined
}

/** What an administrator is told before they erase the history of a row, by what it is called. */
export function drawErase(
  row: string,
  { reader, isGone }: { readonly reader: Reader; readonly isGone: boolean },
): EraseView {
  const { erasing } = messagesFor(reader.language).history
  return {
    button: erasing.button,
    title: erasing.title(row),
    text: isGone ? erasing.goneText : erasing.text,
  }
}
