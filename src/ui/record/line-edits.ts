/** The lines of a form as a person changes them: what was typed, added, removed and moved, and not saved yet. */

import {
  type LinesView,
  type LineView,
  NEW_LINE,
  type SavedLines,
} from '../../protocol/form-sections.ts'
import { isContested, type Texts } from './edits.ts'

/** A line that was touched. */
export type LineEdit = {
  /** Its key; of a new line, a name that no key has. */
  readonly id: string
  readonly isNew: boolean
  readonly isRemoved: boolean
  /** As it came with a copy of a row: nothing is lost if it goes. */
  readonly isCopied?: boolean
  readonly texts: Texts
  /** What its fields held when the person began, all of them. */
  readonly seen: Texts
}

export type LinesEdits = {
  readonly lines: readonly LineEdit[]
  /** The ids of all lines as they are to stand, and the keys as they stood; `null` if none was moved. */
  readonly order: { readonly seen: readonly string[]; readonly ids: readonly string[] } | null
}

export const NO_LINES: LinesEdits = { lines: [], order: null }

/** What a form begins with. */
export const begunLines = ({ copied }: LinesView): LinesEdits => ({
  lines: copied.map(({ key: id, texts }) => ({
    ...{ id, isNew: true, isRemoved: false, isCopied: true, texts, seen: {} },
  })),
  order: null,
})

/** What a new line began with, if it came with a copy of a row. */
export const copyOf = ({ copied }: LinesView, id: string): LineView | undefined =>
  copied.find(({ key }) => key === id)

/** A line as it stands in the form. `row` is absent for a new one, and for one that others have removed. */
export type StandingLine = {
  readonly id: string
  readonly row: LineView | undefined
  readonly edit: LineEdit | undefined
}

/** All lines: stored ones, those that are gone meanwhile but were changed here, and new ones. */
export function linesIn({ rows }: LinesView, { lines, order }: LinesEdits): StandingLine[] {
  const edits = new Map(lines.map((edit) => [edit.id, edit]))
  const stored = rows.map((row) => ({ id: row.key, row, edit: edits.get(row.key) }))
  const keys = new Set(rows.map(({ key }) => key))
  const others = lines.flatMap((edit) =>
    // Somebody else has removed it, too.
    keys.has(edit.id) || (edit.isRemoved && !edit.isNew)
      ? []
      : [{ id: edit.id, row: undefined, edit }],
  )
  const all = [...stored, ...others]
  if (!order) return all
  const places = new Map(order.ids.map((id, place) => [id, place]))
  const placeOf = ({ id }: StandingLine) => places.get(id) ?? order.ids.length
  return all.toSorted((a, b) => placeOf(a) - placeOf(b))
}

/** What its fields hold. */
export const textsOf = ({ row, edit }: StandingLine): Texts => ({
  ...(row?.texts ?? edit?.seen),
  ...(edit && !edit.isRemoved && edit.texts),
})

/** The fields that somebody else has changed since, and to something else; of a line that goes, whatever they have. */
export function contestedIn({ row, edit }: StandingLine): string[] {
  if (!row || !edit) return []
  if (!edit.isRemoved)
    return Object.keys(edit.texts).filter((name) =>
      isContested(edit, name, row.texts[name] ?? null),
    )
  return Object.keys(edit.seen).filter(
    (name) => name in row.texts && row.texts[name] !== edit.seen[name],
  )
}

/** Whether somebody else has removed a line that was changed here. */
export const isGone = ({ row, edit }: StandingLine): boolean =>
  row === undefined && edit !== undefined && !edit.isNew

/** A new line in which nothing was typed is not saved. */
export const isBlank = ({ isNew, texts }: LineEdit): boolean =>
  isNew && Object.values(texts).every((text) => text === null)

export function addLine({ lines, order }: LinesEdits): { edits: LinesEdits; id: string } {
  const numbers = lines.map(({ id, isNew }) => (isNew ? Number(id.slice(NEW_LINE.length)) : 0))
  const id = `${NEW_LINE}${Math.max(0, ...numbers) + 1}`
  const line: LineEdit = { id, isNew: true, isRemoved: false, texts: {}, seen: {} }
  return {
    edits: {
      lines: [...lines, line],
      order: order && { ...order, ids: [...order.ids, id] },
    },
    id,
  }
}

export function changeLine(
  edits: LinesEdits,
  { id, row, edit }: StandingLine,
  column: string,
  text: string | null,
): LinesEdits {
  const { isCopied: _copied, ...begun } = edit ?? untouched(id, row)
  const stored = row?.texts[column] ?? null
  const { [column]: _, ...others } = begun.texts
  const isSame = !begun.isNew && text === stored
  const seen = column in begun.texts ? begun.seen : { ...begun.seen, [column]: stored }
  return withLine(edits, {
    ...begun,
    seen: begun.isNew ? {} : seen,
    texts: isSame ? others : { ...begun.texts, [column]: text },
  })
}

/** Drops what was typed into a field, so that it holds what is stored. */
export const takeTheirs = (edits: LinesEdits, line: StandingLine, column: string): LinesEdits =>
  changeLine(edits, line, column, line.row?.texts[column] ?? null)

/** The edits of somebody who knows what these fields hold now, and wants their own all the same. */
export function keepMine(
  edits: LinesEdits,
  { row, edit }: StandingLine,
  columns: readonly string[],
): LinesEdits {
  if (!edit) return edits
  const known = Object.fromEntries(columns.map((name) => [name, row?.texts[name] ?? null]))
  return withLine(edits, { ...edit, seen: { ...edit.seen, ...known } })
}

/** A new line in which nothing was typed goes at once; others stay, struck, until they are saved. */
export function removeLine(edits: LinesEdits, { id, row, edit }: StandingLine): LinesEdits {
  const begun = edit ?? untouched(id, row)
  if (isBlank(begun) || !(row || begun.isNew)) return without(edits, id)
  const seen = row ? { ...begun.seen, ...stillSeen(begun, row) } : begun.seen
  return withLine(edits, { ...begun, seen, isRemoved: true })
}

/** Fields that were not typed into are seen as they are. */
const stillSeen = ({ texts }: LineEdit, row: LineView): Texts =>
  Object.fromEntries(
    Object.entries(row.texts).filter(([name]) => !(name in texts) && !row.fixed?.includes(name)),
  )

export const putBack = (edits: LinesEdits, { edit }: StandingLine): LinesEdits =>
  edit ? withLine(edits, { ...edit, isRemoved: false }) : edits

/** `to`: its new place among all lines, from 0. */
export function moveLine(view: LinesView, edits: LinesEdits, id: string, to: number): LinesEdits {
  const ids = linesIn(view, edits).map((line) => line.id)
  const from = ids.indexOf(id)
  if (from < 0 || to < 0 || to >= ids.length || from === to) return edits
  const moved = ids.toSpliced(from, 1).toSpliced(to, 0, id)
  const standing = linesIn(view, { ...edits, order: null }).map((line) => line.id)
  const isBack = moved.join('\n') === standing.join('\n')
  const seen = edits.order?.seen ?? view.rows.map(({ key }) => key)
  return { ...edits, order: isBack ? null : { seen, ids: moved } }
}

/** Whether others have put lines in another order since the person moved some. */
export function isOrderContested({ rows }: LinesView, { order }: LinesEdits): boolean {
  if (!order) return false
  const now = rows.map(({ key }) => key)
  const known = now.filter((key) => order.seen.includes(key))
  return known.join('\n') !== order.seen.filter((key) => now.includes(key)).join('\n')
}

export const keepOrder = ({ rows }: LinesView, edits: LinesEdits): LinesEdits => ({
  ...edits,
  order: edits.order && { ...edits.order, seen: rows.map(({ key }) => key) },
})

export const takeOrder = (edits: LinesEdits): LinesEdits => ({ ...edits, order: null })

export type LineCounts = {
  readonly changed: number
  readonly added: number
  readonly removed: number
}

export function countLines({ lines, order }: LinesEdits): LineCounts {
  const isAdded = (line: LineEdit) => line.isNew && !line.isRemoved && !line.isCopied
  const added = lines.filter((line) => isAdded(line) && !isBlank(line)).length
  const removed = lines.filter(({ isNew, isRemoved }) => !isNew && isRemoved).length
  const others = lines.filter(({ isNew, isRemoved }) => !isNew && !isRemoved).length
  return { added, removed, changed: added + removed + others + (order ? 1 : 0) }
}

/** As they are saved; `null` for nothing. */
export function savedLines(view: LinesView, edits: LinesEdits): SavedLines | null {
  const { rows } = view
  const isGoneAlready = ({ id }: LineEdit) => !rows.some(({ key }) => key === id)
  const lines = edits.lines.filter(
    (line) => !isBlank(line) && !(line.isRemoved && (line.isNew || isGoneAlready(line))),
  )
  if (lines.length === 0 && countLines(edits).changed === 0) return null
  return {
    lines: lines.map(({ id, isNew, isRemoved, texts, seen }) => ({
      ...{ id, isRemoved, key: isNew ? null : id },
      texts: isRemoved ? {} : { ...texts },
      seen: isRemoved
        ? { ...seen }
        : Object.fromEntries(
            Object.keys(texts).map((name) => [
              name,
              seen[name] ?? copyOf(view, id)?.texts[name] ?? null,
            ]),
          ),
    })),
    order: edits.order && { seen: [...edits.order.seen], ids: [...edits.order.ids] },
  }
}

const untouched = (id: string, row: LineView | undefined): LineEdit => ({
  ...{ id, isNew: false, isRemoved: false, texts: {} },
  seen: Object.fromEntries(
    Object.entries(row?.texts ?? {}).filter(([name]) => !row?.fixed?.includes(name)),
  ),
})

/** A line in which nothing is changed any more was not touched. */
function withLine(edits: LinesEdits, line: LineEdit): LinesEdits {
  const isTouched = line.isNew || line.isRemoved || Object.keys(line.texts).length > 0
  if (!isTouched) return without(edits, line.id)
  const isKnown = edits.lines.some(({ id }) => id === line.id)
  const lines = isKnown
    ? edits.lines.map((one) => (one.id === line.id ? line : one))
    : [...edits.lines, line]
  return { ...edits, lines }
}

/** New lines leave the order with themselves. */
const without = ({ lines, order }: LinesEdits, id: string): LinesEdits => ({
  lines: lines.filter((line) => line.id !== id),
  order:
    order && lines.some((line) => line.id === id && line.isNew)
      ? { ...order, ids: order.ids.filter((one) => one !== id) }
      : order,
})
