/** The lines that a form adds, changes, removes and puts in order, as changes of their table. */

import { messagesFor } from '../../../messages/messages.ts'
import type { FieldConflict } from '../../../protocol/form-view.ts'
import type { LineProblems, SavedLine, SavedLines } from '../../../protocol/form-sections.ts'
import { AppError } from '../../../server/app-error.ts'
import type { OpenTable } from '../../catalog.ts'
import { marking, markOf, mayTakeOut } from '../marking.ts'
import type { KeyValues } from '../../source/value.ts'
import type { RankChange, RowChange, Values } from '../../source/write-unit.ts'
import { changedSince, conflictsOf, expected, readAll, withoutEmptied } from './changed.ts'
import { fieldWriter } from './field-texts.ts'
import {
  insertFor,
  type Owner,
  type SectionChange,
  sectionProblem,
  type SectionServices,
  tooManyHere,
} from './section-change.ts'
import { readingsIn } from './readings.ts'
import { withSchemaErrors } from './schema-errors.ts'
import { areTooMany, readSection, type SectionRow, whereReferring } from './section-rows.ts'
import { askedColumns, type LinesSection } from './sections.ts'
import { withKeys } from './with-keys.ts'

type Judged = {
  readonly id: string
  readonly kind: 'remove' | 'change' | 'add'
  readonly row: RowChange | undefined
  readonly problems: LineProblems
}

const goes = ({ kind, row }: Judged): boolean =>
  kind === 'remove' && row !== undefined && 'delete' in row

/** Lines go before others change, and these before new ones come: values that are unique become free. */
const TURNS = ['remove', 'change', 'add'] as const

/** Each line that is named by its key must be one of the owner's. */
export async function linesChange(
  services: SectionServices,
  owner: Owner,
  section: LinesSection,
  { lines, order }: SavedLines,
): Promise<SectionChange> {
  const rows = owner.row ? await readSection(services.source, section, owner.row) : []
  if (areTooMany(rows)) return tooManyHere(owner)
  const isNew = ({ key, isRemoved }: SavedLine) => key === null && !isRemoved
  const added = inOrder(lines.filter(isNew), order?.ids ?? [])
  const ranks = ranksOf(section, rows, added.length)
  const judged = [
    ...(await Promise.all(
      lines
        .filter(({ key }) => key !== null)
        .map((line) => judge(services, { owner, section, rows }, line)),
    )),
    ...(await Promise.all(
      added.map((line, at) => judgeNew(services, { owner, section, rows }, line, ranks[at])),
    )),
  ]
  const turns = TURNS.flatMap((kind) => judged.filter((one) => one.kind === kind && one.row))
  // Those that are marked as deleted keep their places.
  const removed = new Set(turns.filter(goes).map(({ id }) => id))
  const left = rows.filter(({ name }) => !removed.has(name))
  const known = new Set([...left.map(({ name }) => name), ...added.map(({ id }) => id)])
  const moved = order && { ...order, ids: order.ids.filter((id) => known.has(id)) }
  const isMoved = moved !== null && section.order !== undefined && owner.row !== null
  const { form } = messagesFor(owner.reader.language)
  return {
    change: {
      rows: turns.flatMap(({ row }) => row ?? []),
      ...(isMoved && { ranks: rankChange(section, owner.row, left, moved.ids) }),
    },
    ids: turns.map(({ id }) => id),
    problems: {
      ...Object.fromEntries(
        judged.flatMap(({ id, problems }) => (isTold(problems) ? [[id, problems]] : [])),
      ),
      ...(isMoved && !isAsSeen(rows, moved.seen) && sectionProblem(form.orderChanged)),
    },
  }
}

type Judging = {
  readonly owner: Owner
  readonly section: LinesSection
  readonly rows: readonly SectionRow[]
}

const NONE: LineProblems = { errors: {}, conflicts: [] }

const isTold = ({ errors, conflicts }: LineProblems): boolean =>
  Object.keys(errors).length > 0 || conflicts.length > 0

async function judge(
  services: SectionServices,
  { owner, section, rows }: Judging,
  { id, key, isRemoved, texts, seen }: SavedLine,
): Promise<Judged> {
  const { open, foreignKey } = section
  const kind = isRemoved ? 'remove' : 'change'
  const row = rows.find(({ name, isMarked }) => name === key && !isMarked)
  if (!row) {
    const { problems } = messagesFor(owner.reader.language)
    return { id, kind, row: undefined, problems: { ...NONE, errors: { '': [problems.missing] } } }
  }
  const read = isRemoved
    ? { values: {}, errors: {} }
    : await readLine(services, section, { texts, seen }, { owner, held: row.values })
  for (const name of Object.keys(read.values))
    if (!Object.hasOwn(row.values, name)) throw new AppError('FORBIDDEN')
  const known = Object.keys(seen).filter((name) => Object.hasOwn(row.values, name))
  // Nobody can expect what no condition may be about, such as a value that is masked in some rows.
  const comparable = (name: string) => open.access.canFindBy(name)
  const write = fieldWriter(open, owner.reader)
  const found = isRemoved
    ? changedSince(open, known, row.values, seen, write)
    : conflictsOf(open, read.values, row.values, seen, write)
  const conflicts = await withAuthors(services, section, row, found)
  const columns = isRemoved ? known : Object.keys(read.values)
  const expect = expected(row.values, [...foreignKey.columns, ...columns].filter(comparable))
  const change = isRemoved
    ? removal(open, row.key, expect)
    : { update: row.key, set: read.values, expect }
  const errors = withSchemaErrors(open, change, read.errors, owner.reader)
  return { id, kind, problems: { errors, conflicts }, row: change }
}

/** As a row is deleted on its own page: marked, where its table has that. Throws `FORBIDDEN`. */
function removal(open: OpenTable, key: KeyValues, expect: Values): RowChange {
  if (!mayTakeOut(open)) throw new AppError('FORBIDDEN')
  const mark = markOf(open)
  if (mark === undefined) return { delete: key, expect }
  const marked = marking(open, mark, key, true)
  return { ...marked, expect: { ...expect, ...marked.expect } }
}

async function withAuthors(
  { authorsOf }: SectionServices,
  { open }: LinesSection,
  row: SectionRow,
  conflicts: readonly FieldConflict[],
): Promise<FieldConflict[]> {
  if (conflicts.length === 0) return []
  const authors = await authorsOf(
    open,
    row,
    conflicts.map(({ column }) => column),
  )
  return conflicts.map((one) => ({ ...one, who: authors[one.column] ?? null }))
}

async function judgeNew(
  services: SectionServices,
  { owner, section }: Judging,
  { id, texts, seen }: SavedLine,
  rank: number | undefined,
): Promise<Judged> {
  const { values, errors } = await readLine(
    services,
    section,
    { texts, seen },
    { owner, held: null },
  )
  const { order, foreignKey } = section
  const isPlaced = order !== undefined && section.open.access.canWrite(order.column, 'create')
  const placed = isPlaced && rank !== undefined ? { ...values, [order.column]: rank } : values
  const row = insertFor(owner, foreignKey, placed)
  const told = withSchemaErrors(section.open, row, errors, owner.reader)
  return { id, kind: 'add', problems: { ...NONE, errors: told }, row }
}

/** `held`: what the line holds; `null` for a new one. Throws `FORBIDDEN` for a column that a line has no field for. */
async function readLine(
  { source }: SectionServices,
  section: LinesSection,
  { texts, seen }: Pick<SavedLine, 'texts' | 'seen'>,
  { owner, held }: { readonly owner: Owner; readonly held: Values | null },
) {
  const asked = askedColumns(section)
  if (Object.keys(texts).some((name) => !asked.has(name))) throw new AppError('FORBIDDEN')
  const { open, name } = section
  const { reader, readings } = owner
  const read = readAll(open, await withKeys(source, open, texts, reader), reader, {
    ...{ held: held ?? {}, seen, readings: readingsIn(name, readings) },
  })
  return withoutEmptied(open, read, held ?? {}, held === null)
}

const inOrder = (lines: readonly SavedLine[], ids: readonly string[]): readonly SavedLine[] =>
  lines.toSorted((a, b) => placeIn(ids, a.id) - placeIn(ids, b.id))

const placeIn = (ids: readonly string[], id: string): number => {
  const place = ids.indexOf(id)
  return place < 0 ? ids.length : place
}

/** The numbers that new lines get, after all others. */
function ranksOf({ order }: LinesSection, rows: readonly SectionRow[], count: number): number[] {
  if (!order) return []
  const { column, descending } = order
  const held = rows.flatMap(({ values }) => {
    const value = values[column] ?? null
    return value === null ? [] : [Number(value)]
  })
  const step = descending ? -1 : 1
  const last = descending ? Math.min(count + 1, ...held) : Math.max(0, ...held)
  return Array.from({ length: count }, (_, at) => last + step * (at + 1))
}

/** Whether the lines stand as the person saw them before they moved some. */
function isAsSeen(rows: readonly SectionRow[], seen: readonly string[]): boolean {
  const now = rows.map(({ name }) => name)
  const known = now.filter((name) => seen.includes(name))
  return known.join('\n') === seen.filter((name) => now.includes(name)).join('\n')
}

/**
 * Places of all lines that there were before; new ones fill those that are left, one after the other. Each must
 * still stand where it was read, so that of two people who put them in order at once one learns of the other.
 */
function rankChange(
  { foreignKey, order }: LinesSection,
  owner: Values,
  rows: readonly SectionRow[],
  ids: readonly string[],
): RankChange {
  const keys = new Map(rows.map(({ name, key }) => [name, key]))
  const others = rows.flatMap(({ name }) => (ids.includes(name) ? [] : [name]))
  const at = [...ids, ...others].flatMap((id, place): [KeyValues, number][] => {
    const key = keys.get(id)
    return key ? [[key, place + 1]] : []
  })
  return {
    ...{ column: order?.column ?? '', within: whereReferring(foreignKey, owner), at },
    expect: rows.map(({ key }, place) => ({
      key,
      from: {
        previous: rows[place - 1]?.key ?? null,
        // What others add comes last, and so do new lines, which are there by then.
        ...(rows[place + 1] && { next: rows[place + 1]?.key ?? null }),
      },
    })),
    descending: order?.descending ?? false,
  }
}
