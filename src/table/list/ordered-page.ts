/** Reads pages of rows as a person has ordered them: their moves are applied, but not saved. */

import type { FoundPlace, OrderedPage } from '../../protocol/reorder.ts'
import { formatterFor } from '../format.ts'
import { unnamedRow } from '../record/unnamed.ts'
import { joinedLabel, ownLabels } from '../references.ts'
import type { Predicate } from '../source/predicate.ts'
import type { PageRow, RowPage } from '../source/row-source.ts'
import type { KeyValues } from '../source/value.ts'
import { clockOf, type ListContext } from './concern.ts'
import { drawRows, textOf } from './rows.ts'
import { searchPredicate } from '../search/predicate.ts'
import { exactCount } from './shown.ts'

/** A moved row and its final place; sorted by place where they are listed. */
type Placed = readonly [key: KeyValues, rank: number]

/**
 * The page with this number. The rows that do not move keep their order and fill the places that the
 * moved ones leave free; a moved row that has gone leaves its place to the next ones.
 */
export async function orderedPage<State>(
  context: ListContext<State>,
  moves: readonly Placed[],
  number: number,
): Promise<OrderedPage> {
  const { opened, signal, locale, language, timeZone } = context
  const { source } = opened.services
  const { size, ...query } = context.pageQuery()
  const isMoved = amongKeys(
    opened.access.table.key,
    moves.map(([key]) => key),
  )
  const where = (more: Predicate): Predicate => ({ op: 'and', all: [query.where, more] })
  const start = (number - 1) * size
  const before = moves.filter(([, rank]) => rank <= start).length
  const here = moves.filter(([, rank]) => rank > start && rank <= start + size)
  const read = (where: Predicate, skip: number, size: number) =>
    source.page(opened.access, { ...query, where, size, place: { at: 'offset', skip } }, { signal })
  const [others, moved, tally] = await Promise.all([
    read(where({ op: 'not', of: isMoved }), Math.max(0, start - before), size),
    here.length === 0
      ? undefined
      : read(
          where(
            amongKeys(
              opened.access.table.key,
              here.map(([key]) => key),
            ),
          ),
          0,
          here.length,
        ),
    context.tally(),
  ])
  const rows = merged(others, moved, { start, size, here, keyOf: (key) => opened.keys.name(key) })
  const columns = query.columns.flatMap((name) => opened.definition.columns.get(name) ?? [])
  const list = opened.services.href(opened.access.table.name)
  const drawn = drawRows(
    { page: { ...others, rows }, open: opened, columns, list },
    formatterFor({ locale, language, timeZone }),
  )
  const left = others.rows.length - (rows.length - here.length)
  return { ...drawn, start, count: exactCount(tally), hasMore: others.after || left > 0 }
}

type Slots = {
  readonly start: number
  readonly size: number
  readonly here: readonly Placed[]
  keyOf(key: KeyValues): string
}

/** Puts the moved rows into their places among the others. */
function merged(
  { rows: others }: RowPage,
  moved: RowPage | undefined,
  { start, size, here, keyOf }: Slots,
): PageRow[] {
  const found = new Map(moved?.rows.map((row) => [keyOf(row.key), row]))
  const byRank = new Map(here.map(([key, rank]) => [rank, found.get(keyOf(key))]))
  const rows: PageRow[] = []
  let next = 0
  for (let rank = start + 1; rank <= start + size; rank++) {
    const row = byRank.get(rank) ?? others[next++]
    if (row) rows.push(row)
  }
  return rows
}

/** The rows with these keys. */
function amongKeys(columns: readonly string[], keys: readonly KeyValues[]): Predicate {
  const [column] = columns
  if (columns.length === 1 && column !== undefined)
    return { op: 'in', column, values: keys.map(([value]) => value ?? null) }
  return {
    op: 'or',
    all: keys.map((key) => ({
      op: 'and',
      all: columns.map((column, at) => ({ op: 'eq', column, value: key[at] ?? null })),
    })),
  }
}

/** Rows that a search for a place shows. */
const FOUND_MAX = 8

/** Rows of the order that hold the text, each with its place. */
export async function findPlaces<State>(
  context: ListContext<State>,
  text: string,
): Promise<FoundPlace[]> {
  const { opened, signal, locale, language, timeZone } = context
  const { definition, access, services, keys } = opened
  const query = context.pageQuery()
  const holds = searchPredicate(text, opened, clockOf(context))
  const columns = ownLabels(opened)
  const labels = columns.flatMap((name) => definition.columns.get(name) ?? [])
  const { rows } = await services.source.page(
    access,
    {
      ...{ columns, sort: query.sort, size: FOUND_MAX, place: { at: 'first' } },
      where: { op: 'and', all: [query.where, holds] },
    },
    { signal },
  )
  const formatter = formatterFor({ locale, language, timeZone })
  const found = rows.map(async ({ key, values }): Promise<FoundPlace[]> => {
    const rank = await services.source.rank(access, query.where, query.sort, key, { signal })
    const name = keys.record(key) ?? keys.name(key)
    const texts = labels.map((label, at) => textOf(formatter.cell(label, values[at] ?? null)))
    const shown = joinedLabel(texts) ?? unnamedRow(opened, key, language)
    return rank === undefined ? [] : [{ key: name, label: shown, rank }]
  })
  return (await Promise.all(found)).flat()
}
