/**
 * The rows of a page as HTML, several times faster than React writes them.
 *
 * React draws each look of a cell once, with holes for its values; from then on, values are filled
 * into that template. React draws what fits no template, so nothing has a second implementation.
 */

import type { ReactElement } from 'react'
import type { PageMessages } from '../../messages/messages.ts'
import { type Cell, labelOfRow } from '../../protocol/table-view.ts'
import { BUILT_IN } from '../kinds/kinds.ts'
import { cellAt, type DrawnColumn } from './drawn-columns.ts'
import { CUT_MARK, UNSEEN } from './plain-text.tsx'
import type { RowMarkup } from './row-markup-context.ts'
import { rowHrefs, RowFrame, TableCell, type TableCellProps } from './table-rows.tsx'

/** Placeholders for values while React draws a template: private-use characters, of no script. */
const HOLES = {
  text: '\u{f0000}',
  key: '\u{f0001}',
  href: '\u{f0002}',
  cells: '\u{f0003}',
  length: 900_719_925_474_099,
} as const
type Hole = keyof typeof HOLES

/** The holes as they are drawn: a key is part of an address. */
const DRAWN = new Map(
  Object.entries(HOLES).map(([hole, sign]) => [
    hole === 'key' ? encodeURIComponent(sign) : String(sign),
    hole as Hole,
  ]),
)
const ANY_HOLE = new RegExp(`(${[...DRAWN.keys()].join('|')})`)

/** Pieces of HTML, and the holes between them. */
type Template = { readonly html: readonly string[]; readonly holes: readonly Hole[] }

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
  /** Templates of odd and even rows, the same in every language. */
  let frames: readonly Template[] | undefined

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
      const look = templates && lookOf(props)
      if (!look) {
        const cell = <TableCell {...props} />
        return draw(needsNoProvider(props.drawn) ? cell : withProviders(cell), messages)
      }
      const href = props.names?.href
      const name = href === undefined ? look.name : `${look.name} link`
      let template = templates.get(name)
      if (!template) {
        template = templateOf(draw(<TableCell {...sampleOf(props, look.sample)} />, messages))
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
    frames ??= [false, true].map((isEven) => templateOf(draw(frameOf(isEven), messages)))
    const hrefOf = rowHrefs(view)
    let markup = ''
    for (const [place, row] of view.rows.entries()) {
      let cells = ''
      for (const [at, drawn] of columns.entries()) {
        const cell = cellAt(row, drawn.place)
        const names = at === 0 ? { label: labelOfRow(row), href: hrefOf(row, place) } : undefined
        cells += cellMarkup({ cell, drawn, names }, templates[at])
      }
      markup += fill(frames[place % 2]!, { text: escapeHtml(row[0]), cells })
    }
    return markup
  }
}

/** Whether the cell needs no context: built-in kinds use only their props. */
const needsNoProvider = ({ column, kind }: DrawnColumn): boolean =>
  kind.cell === undefined || BUILT_IN.get(column.kind) === kind

const frameOf = (isEven: boolean) => (
  <RowFrame rowKey={HOLES.text} isEven={isEven}>
    {HOLES.cells}
  </RowFrame>
)

/** Names everything about a column that its cells depend on. */
const nameOf = (
  { column: { kind, unit, related, cardLabel }, className }: DrawnColumn,
  at: number,
) => JSON.stringify([at === 0, className, kind, unit, related, cardLabel])

const sampleOf = ({ names, ...props }: TableCellProps, cell: Cell): TableCellProps => ({
  ...props,
  cell,
  names: names && { ...names, href: names.href && HOLES.href },
})

/** `undefined` if the look is unique or depends on the values, so that React draws the cell. */
function lookOf({ cell, drawn: { kind }, names }: TableCellProps): Look | undefined {
  const isLink = names?.href !== undefined
  if (cell === null || cell === '' || cell === 0)
    // The link of an empty cell is labelled with the row's name, which no template holds.
    return isLink ? undefined : { name: String(cell), sample: cell, values: {} }
  const [text, more] = typeof cell === 'string' ? [cell, undefined] : cell
  const values = { text: escapeHtml(text) }
  if (kind.cell && (kind.inLink || !isLink)) {
    const { template } = kind
    if (template === undefined || kind.fits) return undefined
    if (template !== 'text') {
      if (typeof more === 'number') return undefined
      const like = template(more)
      return { name: `like ${like}`, sample: [HOLES.text, like], values }
    }
  }
  if (typeof more === 'number') {
    if (UNSEEN.test(text + CUT_MARK)) return undefined
    const sample: Cell = [HOLES.text, HOLES.length]
    return { name: 'cut', sample, values: { ...values, length: String(more) } }
  }
  if (UNSEEN.test(text)) return undefined
  if (more === undefined) return { name: 'text', sample: HOLES.text, values }
  const key = escapeHtml(encodeURIComponent(more))
  return { name: 'more', sample: [HOLES.text, HOLES.key], values: { ...values, key } }
}

function templateOf(drawn: string): Template {
  const parts = drawn.split(ANY_HOLE)
  return {
    html: parts.filter((_, at) => at % 2 === 0),
    holes: parts.filter((_, at) => at % 2 === 1).map((sign) => DRAWN.get(sign)!),
  }
}

function fill({ html, holes }: Template, values: Values): string {
  let filled = html[0]!
  for (let at = 0; at < holes.length; at++) filled += values[holes[at]!]! + html[at + 1]!
  return filled
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#x27;',
}

/** Escapes as React does. */
const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (char) => ESCAPES[char]!)
