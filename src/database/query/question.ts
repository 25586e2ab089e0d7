/** The questions that read pages, counts and related rows. */

import type { Access } from '../../table/source/access.ts'
import { everything, type Predicate } from '../../table/source/predicate.ts'
import { policyAccesses, relatedAccesses } from '../../table/source/related-tables.ts'
import type { RowLabel } from '../../table/source/row-source.ts'
import type { Question } from '../query-runner.ts'
import type { Some } from '../rows-of.ts'
import type { Catalogue, SourceTable } from '../tables.ts'
import type { Block } from './keyset.ts'
import { indexedRun, runsOf, type PageShape, type Start } from './page-sql.ts'
import { isLocal } from './predicate-sql.ts'
import { tableOf, type SqlContext } from './scope.ts'
import type { Select } from './select.ts'

/** Skipping more rows than this is slow even with an index. */
const SHORT_JUMP = 1000
/** So is reading more rows than this. */
const SHORT_ANSWER = 2000

/** Reads the first rows from a start. */
export function startQuestion(
  context: SqlContext,
  shape: PageShape,
  start: Start,
  limit: number,
): Question {
  const runs = runsOf(context, shape, start)
  const select: Select = { of: 'runs', shape, runs, start, limit }
  return pageQuestion(context, shape, runs, { select, isLong: limit > SHORT_ANSWER })
}

/** Which rows of one of an order's runs to read. */
export type Jump = { readonly run: Block; readonly skip: number; readonly limit: number }

export function jumpQuestion(context: SqlContext, shape: PageShape, jump: Jump): Question {
  const isLong = jump.skip > SHORT_JUMP || jump.limit > SHORT_ANSWER
  const select: Select = { of: 'jump', shape, ...jump }
  return pageQuestion(context, shape, [jump.run], { select, isLong })
}

const pageQuestion = (
  { catalogue }: SqlContext,
  shape: PageShape,
  runs: readonly Block[],
  own: Pick<Question, 'select' | 'isLong'>,
): Question => ({
  ...scopeParts(catalogue, shape.access, shape.query.where, [
    ...shape.labels,
    ...shape.names.map(({ relation }) => relation),
  ]),
  ...own,
  cells: shape.cells,
  need: { of: 'order', runs: runs.map((run) => indexedRun(shape, run)) },
})

/** Reads all matching rows, whatever indexes there are, as a count does. */
export const scanQuestion = (
  { catalogue }: SqlContext,
  select: Extract<Select, { readonly access: Access; readonly where: Predicate }>,
  cells: Question['cells'] = [],
): Question => ({
  ...scopeParts(
    catalogue,
    select.access,
    select.where,
    select.of === 'count' ? select.sort?.flatMap(({ by }) => by ?? []) : undefined,
  ),
  select,
  cells,
  need: { of: 'scan' },
  isLong: true,
})

/** Looks up rows of these tables, each by an index. */
export function lookupQuestion(
  { catalogue }: SqlContext,
  [access, ...others]: Some<Access>,
  select: Select,
): Question {
  const first = scopeParts(catalogue, access, everything)
  const rest = others.map((other) => scopeParts(catalogue, other, everything))
  return {
    ...first,
    select,
    cells: [],
    need: { of: 'lookup' },
    isLong: false,
    isLocal: false,
    hasView: [first, ...rest].some(({ hasView }) => hasView),
  }
}

/** The parts of a question that follow from a condition and its policy. */
function scopeParts(
  catalogue: Catalogue,
  access: Access,
  wanted: Predicate,
  labels: readonly RowLabel[] = [],
): Pick<Question, 'table' | 'where' | 'isLocal' | 'hasView'> {
  const where: Predicate = { op: 'and', all: [access.grant.rows, wanted] }
  const table = tableOf(catalogue, access)
  const related = labels.flatMap((label) => [label.access, ...policyAccesses(label.access)])
  const others = [...relatedAccesses(access, where), ...related]
  const tables = [table, ...others.map((other) => tableOf(catalogue, other))]
  return {
    table,
    where,
    isLocal: labels.length === 0 && isLocal(where),
    hasView: tables.some(isDerived),
  }
}

const isDerived = ({ table }: SourceTable): boolean => table.kind === 'view'
