/** Reordering: a mode in which people put rows in the order that a column of numbers keeps. */

import * as v from 'valibot'
import { messagesFor } from '../../../messages/messages.ts'
import { type ReorderMode, type ReorderResult, MOVES_MAX } from '../../../protocol/reorder.ts'
import type { TableView } from '../../../protocol/table-view.ts'
import { AppError } from '../../../server/app-error.ts'
import { badParameter, clip } from '../../address-error.ts'
import type { OpenTable } from '../../catalog.ts'
import { byName } from '../../source/by-name.ts'
import type { PageRow, RowPage } from '../../source/row-source.ts'
import { templates } from '../../templates.ts'
import { defineConcern, type ListContext, type PartInput } from '../concern.ts'
import { findPlaces, orderedPage } from '../ordered-page.ts'
import {
  checkMoves,
  keyNameOf,
  mayReorder,
  parentOf,
  readRanks,
  resultOf,
  seenOf,
  saveRanks,
  storeRanks,
} from '../reordering.ts'

const text = v.pipe(v.string(), v.maxLength(4000))
const rank = v.pipe(v.number(), v.safeInteger(), v.minValue(1))
const moves = v.pipe(v.array(v.strictTuple([text, rank])), v.maxLength(MOVES_MAX))
/** Each row's key and place, under names that the table decides. */
const ranks = v.pipe(
  v.array(byName(v.union([text, v.number()]))),
  v.minLength(1),
  v.maxLength(MOVES_MAX),
)
const sides = {
  previous: v.exactOptional(v.nullable(text)),
  next: v.exactOptional(v.nullable(text)),
}
const seen = v.pipe(
  v.array(v.strictObject({ key: text, ...sides, from: v.exactOptional(v.strictObject(sides)) })),
  v.maxLength(MOVES_MAX),
)

const shape = {
  /** Whether rows are being put in order. */
  currentlyReorderingStatus: v.boolean(),
  /** Whether this person may put the rows in order. */
  reorderStatus: v.boolean(),
  hideReorderColumnUnlessReorderingStatus: v.boolean(),
  /** Whether the column of the order may be shown now. */
  reorderDisplayColumn: v.boolean(),
  defaultReorderColumn: v.nullable(v.string()),
}

type State = { [Name in keyof typeof shape]: v.InferOutput<(typeof shape)[Name]> }

const PARAMETER = 'reorder'

export const reordering = defineConcern({
  name: 'reorder',
  state: shape,
  initial: {
    currentlyReorderingStatus: false,
    reorderStatus: false,
    hideReorderColumnUnlessReorderingStatus: false,
    reorderDisplayColumn: false,
    defaultReorderColumn: null,
  },
  address: {
    names: [PARAMETER],
    owns: (name) => name === PARAMETER,
    // Somebody may have made the database read-only since, and the list itself stays the same.
    read: (query, open) => stateOf(open, readMode(query)),
    write: (state) => (state.currentlyReorderingStatus ? [[PARAMETER, 'on']] : []),
  },
  presents(state, { definition: { reorder } }) {
    if (!reorder) return {}
    return {
      ...(state.currentlyReorderingStatus && { order: reorder }),
      ...(!state.reorderDisplayColumn && { hides: [reorder.column] }),
    }
  },
  actions: {
    enableReordering: {
      args: v.strictTuple([]),
      run({ opened, go }) {
        assertReorder(opened)
        go(stateOf(opened, true))
      },
    },
    disableReordering: {
      args: v.strictTuple([]),
      run: ({ opened, go }) => go(stateOf(opened, false)),
    },
    /**
     * Moves rows to places in the whole order; what is not named keeps its order. Ends the mode if it
     * succeeds. `seen`: the neighbours that the person saw, there and where they took the rows from; any
     * others are a conflict.
     */
    storeReorder: {
      kind: 'write',
      args: v.union([v.strictTuple([ranks]), v.strictTuple([ranks, seen])]),
      async run(context, list, seen = []): Promise<ReorderResult> {
        const { opened, go } = context
        const order = assertReorder(opened)
        const at = readRanks(list, opened)
        const outcome = await storeRanks(context, at, {
          ...{ column: order.column, descending: order.descending },
          within: withinOf(context),
          expect: seenOf(seen, opened),
        })
        const result = await resultOf(outcome, context)
        if (result.status === 'done') go(stateOf(opened, false), { mode: 'replace' })
        return result
      },
    },
    /** Gives all rows of the order numbers that are far apart, in the same order. */
    spaceOutPositions: {
      kind: 'write',
      args: v.strictTuple([]),
      async run(context): Promise<ReorderResult> {
        const { opened } = context
        const { column, descending } = assertReorder(opened)
        const change = { column, descending, within: withinOf(context), at: [], isSpacedOut: true }
        return resultOf(await saveRanks(context, change), context)
      },
    },
    /** The rows of a page of the order, as it will be once these moves are saved. */
    reorderPage: {
      kind: 'query',
      args: v.strictTuple([moves, rank]),
      run(context, moved, number) {
        assertReorder(context.opened)
        return orderedPage(context, checkMoves(moved, context.opened), number)
      },
    },
    /** Rows that hold the text, each with its stored place in the order. */
    findInOrder: {
      kind: 'query',
      args: v.strictTuple([v.pipe(v.string(), v.minLength(1), v.maxLength(200))]),
      run(context, text) {
        assertReorder(context.opened)
        return findPlaces(context, text)
      },
    },
    /** How many rows the order has, exactly. */
    orderLength: {
      kind: 'query',
      args: v.strictTuple([]),
      async run(context): Promise<number> {
        const { opened, signal } = context
        assertReorder(opened)
        const where = { op: 'and', all: context.conditions() } as const
        return (await opened.services.source.count(opened.access, where, { signal })).count
      },
    },
  },
  // What the person may do can change between two requests.
  decide: (state, { opened }) => stateOf(opened, state.currentlyReorderingStatus),
  view(input): Pick<TableView, 'reorder'> {
    const { opened, state } = input
    if (!state.reorderStatus) return {}
    const { reasons } = messagesFor(input.reader.language)
    const isChosen =
      state.currentlyReorderingStatus || parentOf(opened, input.conditions()) !== undefined
    return {
      reorder: {
        ...(!isChosen && { obstacle: reasons.reorderWithin(parentLabels(opened)) }),
        ...(state.currentlyReorderingStatus && { mode: modeOf(input) }),
      },
    }
  },
})

/** Whether the address asks for the mode. Throws `TABLE_BAD_PARAMETER` for any value but `on`. */
function readMode(query: URLSearchParams): boolean {
  const given = query.get(PARAMETER)
  if (given !== null && given !== 'on')
    throw badParameter(({ address }) => address.unknown(clip(given), 'on'))
  return given !== null
}

/** The mode, as far as this person may enter it, and what the page needs to know of the order. */
function stateOf(open: OpenTable, isWanted: boolean): State {
  const { reorder } = open.definition
  const reorderStatus = mayReorder(open)
  const isOn = isWanted && reorderStatus
  const hides = reorder?.hidesColumn ?? false
  return {
    currentlyReorderingStatus: isOn,
    reorderStatus,
    hideReorderColumnUnlessReorderingStatus: hides,
    reorderDisplayColumn: isOn || reorder?.hidesColumn === false,
    defaultReorderColumn: reorder && open.access.canShow(reorder.column) ? reorder.column : null,
  }
}

/** Throws `TABLE_READ_ONLY` unless the person may put these rows in order. */
function assertReorder(open: OpenTable): NonNullable<OpenTable['definition']['reorder']> {
  const { reorder } = open.definition
  if (!reorder || !mayReorder(open))
    throw new AppError('TABLE_READ_ONLY', { detail: ({ rows }) => rows.noReorder })
  return reorder
}

/** The parent's rows. Throws `REQUEST_INVALID` if no single parent is chosen. */
function withinOf({ opened, conditions }: ListContext<State>) {
  const parent = parentOf(opened, conditions())
  if (parent) return parent
  throw new AppError('REQUEST_INVALID', { detail: ({ rows }) => rows.noParent })
}

const parentLabels = ({ definition }: OpenTable): string[] =>
  (definition.reorder?.within ?? []).map((name) => definition.columns.get(name)?.label ?? name)

function modeOf({ opened, page, reader, href, columns }: PartInput<State>): ReorderMode {
  const { definition } = opened
  const column = definition.reorder?.column ?? ''
  const label = definition.columns.get(column)?.label ?? column
  const { order, ...words } = messagesFor(reader.language).reorder
  return {
    keyName: keyNameOf(opened),
    column,
    place: columns.findIndex(({ name }) => name === column),
    isDense: isDense(page),
    leaveHref: href(stateOf(opened, false)),
    order: order(label),
    words: templates(words),
  }
}

/** Whether the numbers of the page have hardly any gaps. */
function isDense({ rows }: RowPage): boolean {
  const rankOf = (row: PageRow | undefined) => Number(row?.sort[0] ?? Number.NaN)
  return Math.abs(rankOf(rows.at(-1)) - rankOf(rows[0])) < 2 * (rows.length - 1)
}
