/** The place of a row in the list that its reader came from, where it can be known at little cost. */

import { messagesFor } from '../../messages/messages.ts'
import type { Reader } from '../../server/http/locale.ts'
import { formatterFor } from '../format.ts'
import { COUNT_BOUND, countKey, type Totals } from '../list/totals.ts'
import type { Access } from '../source/access.ts'
import type { Predicate } from '../source/predicate.ts'
import type { RowSource, Run, SortTerm } from '../source/row-source.ts'
import type { KeyValues } from '../source/value.ts'

/** Rows of a list up to which the place of one is counted. */
const RANK_MAX = 100_000

export type RowPlace = { readonly number: number; readonly total: number }

type Asked = {
  readonly access: Access
  readonly where: Predicate
  readonly sort: readonly SortTerm[]
  readonly key: KeyValues
  /** The version of the policy. */
  readonly policy: string
}

type Services = {
  readonly source: Pick<RowSource, 'count' | 'rank' | 'dataVersion'>
  /** Counts of lists that people have seen. Absent: none is known. */
  readonly totals?: Pick<Totals, 'known'> | undefined
}

/** `null` where the list is too long, or the row is not in it. */
export async function findPlace(
  { source, totals }: Services,
  { access, where, sort, key, policy }: Asked,
  run: Run,
): Promise<RowPlace | null> {
  const version = await source.dataVersion()
  const known = totals?.known(countKey(access, policy, where), version)
  const { kind, count: total } =
    known?.kind === 'exact'
      ? known
      : await source.count(access, where, { ...run, bound: COUNT_BOUND })
  if (kind !== 'exact' || total > RANK_MAX) return null
  const number = await source.rank(access, where, sort, key, run)
  // What was counted before may be out of date where an engine tells of changes late.
  return number === undefined || number > total ? null : { number, total }
}

export function drawPlace({ number, total }: RowPlace, reader: Reader): string {
  const { number: write } = formatterFor(reader)
  return messagesFor(reader.language).row.place(write(number), write(total))
}
