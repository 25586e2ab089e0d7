/**
 * The rows of a page as HTML, several times faster than React writes them.
 *
 * React draws each look of a cell once, with holes for its values; from then on, values are filled
 * into that template. React draws what fits no template, so nothing has a second implementation.
 */

import type { ComponentProps, ReactElement } from 'react'
import type { PageMessages } from '../../messages/messages.ts'
import { type Cell, labelOfRow } from '../../protocol/table-view.ts'
import type { ClientKind } from '../kinds/client-kind.ts'
import { BUILT_IN } from '../kinds/kinds.ts'
import { cellsOf, type DrawnColumn } from './drawn-columns.ts'
import { CUT_MARK, hasMarks } from '../parts/plain-text.tsx'
import type { RowMarkup } from './row-markup-context.ts'
import {
  markedIn,
  pickableIn,
  rowHrefs,
  RowFrame,
  rowPosition,
  tableCell,
  type TableCellProps,
} from './table-rows.tsx'

/** Placeholders for values while React draws a template: private-use characters, of no script. */
const HOLES = {
  text: '\u{f0000}',
  key: '\u{f0001}',
  href: '\u{f0002}',
  cells: '\u{f0003}',
  label: '\u{f0004}',
  length: 900_719_925_474_099,
} as const
type Hole = keyof typeof HOLES

/** The holes as they are drawn: a key is part of an address. */
const DRAWN: ReadonlyMap<string, Hole> = new Map([
  [HOLES.text, 'text'],
  [encodeURIComponent(HOLES.key), 'key'],
  [HOLES.href, 'href'],
  [HOLES.cells, 'cells'],
  [HOLES.label, 'label'],
  [String(HOLES.length), 'length'],
])
const ANY_HOLE = new RegExp(`(${[...DRAWN.keys()].join('|')})`)

/** A piece of HTML, then holes, each with the piece after it. */
type Template = {
  readonly first: string
  readonly rest: readonly { readonly hole: Hole; readonly html: string }[]
}

/** Values for the holes, escaped for HTML. */
type Values = { readonly [hole in Hole]?: string }

/** The look of a cell: its name, a sample cell with holes, and the values for them. */
type Look = { readonly name: string; readonly sample: Cell; readonly values: Values }

/** Templates by the name of the look. */
type Templates = Map<string, Template>

/** Columns whose templates are cached per language; beyond that the cache is emptied. */
const KEPT = 500

/** Wraps an element in the context providers that components may use. */
type WithProviders = (element: ReactElement) => ReactElement

/** As `RowMarkup`; cells of custom kinds are drawn `withProviders`, since they may use any hook. */
type DrawRows = (...given: [...Parameters<RowMarkup>, withProviders?: WithProviders]) => string

/** `draw`: the HTML of an element in the language of `messages`. */
export function createRowMarkup(
  draw: (element: ReactElement, messages: PageMessages) => string,
): DrawRows {
  const cache = new WeakMap<PageMessages, Map<string, Templates>>()
  /** Templates of rows, near and far, odd and even, by whether and how they can be selected. */
  const frames = new WeakMap<PageMessages, Map<string, Template>>()

  function columnsOf(messages: PageMessages): Map<string, Templates> {
    const columns = cache.get(messages)
    if (columns && columns.size < KEPT) return columns
    const made = new Map<string, Templates>()
    cache.set(messages, made)
    return made
  }

  return (columns, view, messages, withProviders = (element) => element) => {
    const byColumn = columnsOf(messages)

    function templatesOf(name: string): Templates {
      const templates = byColumn.get(name) ?? new Map<string, Template>()
      byColumn.set(name, templates)
      return templates
    }

    function cellMarkup(props: TableCellProps, templates: Templates | undefined): string {
      const isFound = props.found !== undefined || props.names?.away !== undefined
      const look = isFound || !templates ? undefined : lookOf(props)
      if (!templates || !look) {
        const cell = tableCell(props)
        return draw(needsNoProvider(props.drawn) ? cell : withProviders(cell), messages)
      }
      const href = props.names?.href
      const mark = props.names?.mark
      const name = [look.name, href && 'link', mark && 'marked'].filter(Boolean).join(' ')
      let template = templates.get(name)
      if (!template) {
        template = templateOf(draw(tableCell(sampleOf(props, look.sample)), messages))
        templates.set(name, template)
      }
      return fill(
        template,
        href === undefined ? look.values : { ...look.values, href: escapeHtml(href) },
      )
    }

    // A column whose own words contain a hole has no templates.
    const templates = columns
      .map(nameOf)
      .map((name) => (ANY_HOLE.test(name) ? undefined : templatesOf(name)))
    const ownFrames = frames.get(messages) ?? new Map<string, Template>()
    frames.set(messages, ownFrames)
    const menu = messages.list.actionsOf(HOLES.label)
    function frame(
      place: number,
      ticks: Ticks,
      mark: string | undefined,
      isOpened: boolean,
    ): Template {
      const isFoundAway = view.found?.[place]?.away !== undefined
      const position = { ...rowPosition(place), isFoundAway }
      const name = `${position.isEven} ${position.isFar} ${ticks} ${mark} ${isFoundAway} ${isOpened}`
      const template =
        ownFrames.get(name) ??
        templateOf(draw(frameOf(position, ticks, mark, isOpened ? menu : undefined), messages))
      ownFrames.set(name, template)
      return template
    }
    /** What has been drawn in each column: many rows hold the same. */
    const known = columns.map(() => new Map<string, string>())
    const hrefOf = rowHrefs(view)
    const isPickable = pickableIn(view)
    const isMarked = markedIn(view)
    let markup = ''
    for (const [place, row] of view.rows.entries()) {
      let cells = ''
      const inOrder = cellsOf(row)
      const found = view.found?.[place]
      const mark = isMarked?.(row) ? messages.record.deleted : undefined
      const href = hrefOf(row, place)
      for (const [at, drawn] of columns.entries()) {
        const cell = inOrder[drawn.place] ?? null
        const names =
          at === 0 ? { label: labelOfRow(row), href, mark, away: found?.away } : undefined
        const marks = found?.cells[drawn.place]
        const name = JSON.stringify(marks ? [cell, marks] : cell)
        // The first cell also holds the row's own link.
        const before = names ? undefined : known[at]?.get(name)
        const html = before ?? cellMarkup({ cell, drawn, names, found: marks }, templates[at])
        if (!names) known[at]?.set(name, html)
        cells += html
      }
      const ticks = view.selection ? (isPickable(place) ? 'off' : 'none') : null
      const values = { text: escapeHtml(row[0]), label: escapeHtml(labelOfRow(row)), cells }
      markup += fill(frame(place, ticks, mark, href !== undefined), values)
    }
    return markup
  }
}

/** Whether the cell needs no context: built-in kinds use only their props, unless they load something. */
const needsNoProvider = ({ column, kind }: DrawnColumn): boolean =>
  kind.cell === undefined || (BUILT_IN.get(column.kind) === kind && !column.loads)

type Ticks = ComponentProps<typeof RowFrame>['ticks']

const frameOf = (
  position: ReturnType<typeof rowPosition> & { isFoundAway: boolean },
  ticks: Ticks,
  mark: string | undefined,
  menu: string | undefined,
) => (
  <RowFrame
    rowKey={HOLES.text}
    label={HOLES.label}
    menu={menu}
    {...position}
    ticks={ticks}
    mark={mark}
    pick={() => undefined}
  >
    {HOLES.cells}
  </RowFrame>
)

/** Names everything about a column that its cells depend on. */
const nameOf = (
  { column: { kind, unit, related, cardLabel, loads }, className }: DrawnColumn,
  at: number,
) => JSON.stringify([at === 0, className, kind, unit, related, cardLabel, loads])

const sampleOf = ({ names, drawn, ...props }: TableCellProps, cell: Cell): TableCellProps => ({
  ...props,
  cell,
  drawn: { ...drawn, kind: fittingAll(drawn.kind) },
  names: names && { ...names, href: names.href && HOLES.href },
})

/** Only texts that fit are filled into templates, and the holes in their place need not. */
function fittingAll(kind: ClientKind): ClientKind {
  const { fits: _fits, ...rest } = kind
  return rest
}

/** `undefined` if the look is unique or depends on the values, so that React draws the cell. */
function lookOf({ cell, drawn: { kind, column }, names }: TableCellProps): Look | undefined {
  const isLink = names?.href !== undefined
  if (cell === null || cell === '' || cell === 0)
    // The link of an empty cell is labelled with the row's name, which no template holds.
    return isLink ? undefined : { name: String(cell), sample: cell, values: {} }
  // Where a text has two parts, each is drawn for itself.
  if (column.endsTell) return undefined
  const [text, more] = typeof cell === 'string' ? [cell, undefined] : cell
  const values = { text: TO_ESCAPE.test(text) ? escapeHtml(text) : text }
  if (kind.cell && (kind.inLink || !isLink)) {
    const { template } = kind
    if (template === undefined || kind.fits?.(text) === false || hasMarks(text)) return undefined
    if (template !== 'text') {
      if (typeof more === 'number') return undefined
      const like = template(more)
      return { name: `like ${like}`, sample: [HOLES.text, like], values }
    }
  }
  if (typeof more === 'number') {
    if (hasMarks(text + CUT_MARK)) return undefined
    const sample: Cell = [HOLES.text, HOLES.length]
    return { name: 'cut', sample, values: { ...values, length: String(more) } }
  }
  // Of a row of whichever table, the address is a whole one.
  if (hasMarks(text) || (column.paired && more !== undefined)) return undefined
  if (more === undefined) return { name: 'text', sample: HOLES.text, values }
  if (column.kind === 'datetime' && column.related === undefined)
    return {
      name: 'moment',
      sample: [HOLES.text, HOLES.label],
      values: { ...values, label: escapeHtml(more) },
    }
  const key = escapeHtml(encodeURIComponent(more))
  return { name: 'more', sample: [HOLES.text, HOLES.key], values: { ...values, key } }
}

function templateOf(drawn: string): Template {
  // Pieces of HTML and holes in turns.
  const [first = '', ...others] = drawn.split(ANY_HOLE)
  const rest = others.flatMap((sign, at) => {
    const hole = at % 2 === 0 ? DRAWN.get(sign) : undefined
    return hole ? [{ hole, html: others[at + 1] ?? '' }] : []
  })
  return { first, rest }
}

function fill({ first, rest }: Template, values: Values): string {
  let filled = first
  for (const { hole, html } of rest) filled += (values[hole] ?? '') + html
  return filled
}

const TO_ESCAPE = /[&<>"']/

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#x27;',
}

/** Escapes as React does; most texts hold nothing to escape, and looking is cheaper than replacing. */
const escapeHtml = (text: string): string =>
  TO_ESCAPE.test(text) ? text.replace(/[&<>"']/g, (char) => ESCAPES[char] ?? char) : text
