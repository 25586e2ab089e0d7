/** The one way by which rows change: whoever asks, whatever for, it goes through here. */

import type { Actor } from '../../server/actor.ts'
import { AppError } from '../../server/app-error.ts'
import { notWhileLooking } from '../../server/not-while-looking.ts'
import type { Catalog } from '../catalog.ts'
import type { Access } from '../source/access.ts'
import type { EntryDraft, ImageChunk, RowImage } from '../source/ledger-entry.ts'
import type { RowSource, Run } from '../source/row-source.ts'
import type { NewValues } from '../source/computed.ts'
import { isSame, type KeyValues } from '../source/value.ts'
import type {
  Part,
  PartResult,
  Recorded,
  RowChange,
  RowResult,
  UnitResult,
} from '../source/write-unit.ts'
import type { Change, ChangeOutcome, ChangeProblem, TableChange } from './change.ts'
import { expandSets } from './expand-sets.ts'
import { judgeRanks, judgeRows, type Judging } from './judge.ts'
import { problemsOf } from './problems.ts'
import type { Entry, ImageQuery, Ledger } from './ledger.ts'
import type { RowReader } from './read-rows.ts'
import { unseenReferences } from './seen-references.ts'
import { type LeftRow, undoing, undoingSome } from './undo.ts'

/** Part of a unit, and the place of its table in the change. */
export type PlannedPart = { readonly table: number; readonly part: Part }

/** A change as it is to be written, or what stands in its way. It lives as long as the request. */
export type Plan = {
  readonly actor: Actor
  readonly change: Change
  readonly entry: EntryDraft
  /** Nothing is written while there are any. */
  readonly problems: readonly ChangeProblem[]
  readonly parts: readonly PlannedPart[]
}

export type ChangeDoor = {
  /**
   * Judges a change and writes nothing. Throws `NOT_FOUND` for a table that the actor may not see, and
   * `TABLE_UNKNOWN_COLUMN` for a column that they may not know of. `id`: that of its entry, which is written
   * once at most. Default: a new one. `run`: how rows are read for it.
   */
  propose(actor: Actor, change: Change, id?: string, run?: Run): Promise<Plan>
  /**
   * Writes a plan, whole or not at all. Throws what `RowSource.write` throws, such as `OUTCOME_UNKNOWN`.
   */
  apply(plan: Plan, run?: Run): Promise<ChangeOutcome>
  /**
   * What takes an entry back, as a plan, and the rows that it leaves as they are. Throws `NOT_FOUND` for an
   * entry that the actor may not know of.
   */
  undo(actor: Actor, id: string, rows?: ImageQuery): Promise<UndoPlan>
  /** The same for some images of an entry, as one step of a job. */
  undoSome(actor: Actor, entry: Entry, images: readonly ImageChunk[]): Promise<UndoPlan>
  /** Writes a plan and rolls it back: nothing stays of it, and nobody is told. Throws what `apply` throws. */
  rehearse(plan: Plan, run?: Run): Promise<Rehearsal>
  /** Both at once, where nothing needs to be confirmed. */
  save(actor: Actor, change: Change, run?: Run): Promise<ChangeOutcome>
}

/** What the database really did, with the first rows before and after. */
export type Rehearsal =
  | { readonly status: 'done'; readonly recorded: Recorded; readonly images: readonly RowImage[] }
  | RefusedChange

type RefusedChange = Extract<ChangeOutcome, { status: 'refused' }>

export type UndoPlan = { readonly plan: Plan; readonly left: readonly LeftRow[] }

export type ChangeServices = {
  readonly source: RowReader & Pick<RowSource, 'keys' | 'digests' | 'count' | 'write'>
  catalog(): Catalog
  /** Where written units are kept. Absent: nowhere, so that nothing can be taken back. */
  readonly ledger?: Ledger
  now(): number
  newId(): string
  /** Told of the tables that were written, once they are on disk, and on whose behalf. */
  wrote?(tables: readonly string[], actor: Actor): void
}

type Asked = Pick<Plan, 'actor' | 'change'> & { readonly run?: Run | undefined }

type ProposeOptions = {
  readonly id?: string
  readonly undoes?: string
  readonly run?: Run | undefined
}

const NOTHING_RECORDED: Recorded = { tables: [], lacks: [] }

/** How often the rules are asked again because a row has changed since they were asked. */
const JUDGED_TIMES = 3

export function createChangeDoor(services: ChangeServices): ChangeDoor {
  const { source, catalog, ledger, now, newId, wrote } = services

  async function propose(
    actor: Actor,
    change: Change,
    { id: entryId = newId(), undoes, run }: ProposeOptions = {},
  ): Promise<Plan> {
    const { id, name } = actor
    const entry: EntryDraft = {
      ...{ id: entryId, at: now(), by: { id, name }, door: change.door },
      ...(undoes !== undefined && { undoes }),
      ...(change.step && { step: change.step }),
      ...(isTold(change) && { isTold: true as const }),
    }
    return { actor, change, entry, ...(await judge({ actor, change, run })) }
  }

  const isTold = ({ tables }: Change): boolean =>
    tables.some(({ table }) => catalog().definitions.get(table)?.rules.changed !== undefined)

  async function judge({ actor, change, run }: Asked): Promise<Pick<Plan, 'problems' | 'parts'>> {
    const judged = await Promise.all(
      change.tables.map((asked, table) =>
        judgeTable({ actor, door: change.door, table, run }, asked),
      ),
    )
    return {
      problems: judged.flatMap(({ problems }) => problems),
      parts: withPlaces(judged.flatMap(({ parts }) => parts)),
    }
  }

  async function judgeTable(
    { actor, door, table, run }: Pick<Judging, 'actor' | 'door' | 'table' | 'run'>,
    asked: TableChange,
  ): Promise<{ parts: readonly PlannedPart[]; problems: readonly ChangeProblem[] }> {
    const open = catalog().open(actor, asked.table)
    const isUndo = door === 'undo'
    const judging: Judging = { source, actor, door, open, table, isUndo, now: now(), run }
    // Sets that are taken back were judged where they come from.
    const expanded = isUndo
      ? { ...asked, problems: [], read: undefined }
      : await expandSets(judging, asked)
    const { rows = [], sets = [], ranks, problems: others, read } = expanded
    const judged = await judgeRows(judging, rows, read)
    const moved = ranks ? await judgeRanks(judging, ranks) : { rows: [], problems: [] }
    const known = [...others, ...judged.problems, ...moved.problems]
    const problems =
      known.length > 0 || judging.isUndo
        ? known
        : await referringToUnseen(judging, { rows, sets: sets.filter((set) => 'set' in set) })
    const written = [...judged.rows, ...moved.rows]
    const { access } = open
    const parts: Part[] = [
      // Columns were judged; the unit checks the rows, and that what was read still holds.
      ...(written.length > 0 ? [{ access: access.ofAllColumns(), rows: written }] : []),
      // Undo puts an order back row by row: ranks are never among what it writes.
      ...(sets.length > 0 || ranks
        ? [{ access: isUndo ? access.ofAllColumns() : access, sets, ...(ranks && { ranks }) }]
        : []),
    ]
    return { problems, parts: parts.map((part) => ({ table, part })) }
  }

  async function apply(plan: Plan, run?: Run): Promise<ChangeOutcome> {
    notWhileLooking(plan.actor)
    const accesses = plan.change.tables.map(({ table }) => catalog().open(plan.actor, table).access)
    let { problems, parts } = plan
    for (let left = JUDGED_TIMES; ; left--) {
      if (problems.length > 0) return { status: 'refused', problems }
      const unit = {
        parts: parts.map(({ part }) => part),
        ...(ledger && { entry: plan.entry }),
      }
      const result = await source.write(unit, run)
      if (result.isDone) return done({ ...plan, parts }, result)
      if (left === 1 || !isStale(plan.change, parts, result))
        return refused(parts, accesses, result)
      ;({ problems, parts } = await judge({ ...plan, run }))
    }
  }

  async function rehearse({ actor, change, problems, parts }: Plan, run?: Run): Promise<Rehearsal> {
    notWhileLooking(actor)
    if (problems.length > 0) return { status: 'refused', problems }
    const accesses = change.tables.map(({ table }) => catalog().open(actor, table).access)
    const unit = { parts: parts.map(({ part }) => part), isTrial: true }
    const result = await source.write(unit, run)
    if (!result.isDone) return refused(parts, accesses, result)
    const { recorded = NOTHING_RECORDED, tried = [] } = result
    return { status: 'done', recorded, images: tried }
  }

  function done({ actor, change, entry, parts }: Plan, result: UnitResult): ChangeOutcome {
    const named = change.tables.map(({ table }) => table)
    const cascaded = result.recorded?.tables.map(({ table }) => table) ?? []
    wrote?.([...new Set([...named, ...cascaded])], actor)
    const keys = named.map((): KeyValues[] => [])
    for (const [at, { rows }] of result.parts.entries())
      for (const row of rows) if (row.status === 'done') keys[parts[at]?.table ?? 0]?.push(row.key)
    const written = result.parts.reduce((sum, part) => sum + writtenBy(part), 0)
    const { lacks = [] } = result.recorded ?? {}
    const isKept = ledger && !result.recorded?.isAsBefore
    return {
      ...{ status: 'done', entry: isKept ? entry.id : null, keys, written },
      ...(lacks.length > 0 && { lacks }),
    }
  }

  return {
    propose: (actor, change, id, run) =>
      propose(actor, change, { ...(id !== undefined && { id }), run }),
    ...{ apply, rehearse },
    async undo(actor, id, rows) {
      if (!ledger) throw new AppError('NOT_FOUND')
      const { change, left, entry } = await undoing({ source, ledger, catalog }, actor, id, rows)
      return { plan: await propose(actor, change, { undoes: entry.id }), left }
    },
    async undoSome(actor, entry, images) {
      if (!ledger) throw new AppError('NOT_FOUND')
      const services = { source, ledger, catalog }
      const { change, left } = await undoingSome(services, actor, entry, images)
      return { plan: await propose(actor, change, { undoes: entry.id }), left }
    },
    save: async (actor, change, run) => apply(await propose(actor, change, { run }), run),
  }
}

/** What is wrong with references to rows that the actor may not see. */
async function referringToUnseen(
  { source, open: { access }, table }: Judging,
  { rows, sets }: { rows: readonly RowChange[]; sets: readonly { readonly set: NewValues }[] },
): Promise<ChangeProblem[]> {
  const found = await unseenReferences(source, access, [...rows, ...sets])
  return found.flatMap((problems, at) => {
    const place =
      at < rows.length
        ? ({ table, of: 'rows', at } as const)
        : ({ table, of: 'sets', at: at - rows.length } as const)
    return problems.map((problem) => ({
      place,
      ...problem,
      columns: problem.columns.filter((name) => access.canRead(name)),
    }))
  })
}

/** Rows that take another row's key name the part of the unit in which it is written. */
const withPlaces = (parts: readonly PlannedPart[]): readonly PlannedPart[] =>
  parts.map(({ table, part }) => {
    const rows = part.rows?.map((row): RowChange => {
      if (!('insert' in row) || !row.keyOf) return row
      const { keyOf } = row
      const place = parts.findIndex((one) => one.table === keyOf.part && one.part.rows)
      return { ...row, keyOf: { ...keyOf, part: place } }
    })
    return { table, part: { ...part, ...(rows && { rows }) } }
  })

const writtenBy = ({ rows, sets, ranks }: PartResult): number =>
  [...sets, ...(ranks ? [ranks] : [])].reduce(
    (sum, result) => sum + (result.status === 'done' ? result.changed : 0),
    rows.length,
  )

/**
 * Whether nothing is wrong but that rows have changed since the rules were asked, in columns of which the
 * person said nothing.
 */
function isStale(
  { tables }: Change,
  parts: readonly PlannedPart[],
  { parts: results }: UnitResult,
): boolean {
  const failed = results.flatMap(({ rows, sets, ranks }, at) => [
    ...rows.flatMap((row, place) =>
      // A result for each part.
      row.status === 'done' ? [] : [{ row, asked: tables[parts[at]!.table]?.rows?.[place] }],
    ),
    ...[...sets, ...(ranks ? [ranks] : [])].flatMap(({ status }) =>
      status === 'done' ? [] : [{ row: undefined, asked: undefined }],
    ),
  ])
  return failed.every(({ row, asked }) => row?.status === 'conflict' && !isTheirs(row, asked))
}

/** Whether the conflict is about what the person expected. */
function isTheirs(
  { current }: Extract<RowResult, { status: 'conflict' }>,
  asked: RowChange | undefined,
): boolean {
  const expect = (asked && 'expect' in asked && asked.expect) || {}
  return Object.entries(expect).some(([name, value]) => !isSame(current[name] ?? null, value))
}

function refused(
  parts: readonly PlannedPart[],
  accesses: readonly Access[],
  result: UnitResult,
): RefusedChange {
  const ranks = result.parts.find((part) => part.ranks)?.ranks
  return {
    status: 'refused',
    problems: result.parts.flatMap((part, at) => {
      const planned = parts[at]
      const access = planned && accesses[planned.table]
      return access ? problemsOf(part, planned, access) : []
    }),
    ...(ranks && { ranks }),
  }
}
