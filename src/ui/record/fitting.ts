/** What a draft may hold of a form: nothing secret, and nothing of fields, lines and links that it does not have. */

import type { LinesView, LinksView } from '../../protocol/form-sections.ts'
import type { FieldInput, FormView } from '../../protocol/form-view.ts'
import type { Typed } from './drafts.ts'
import { withReadings } from './edits.ts'
import type { LineEdit, LinesEdits } from './line-edits.ts'
import type { LinksEdits } from './section-edits.ts'

/** The part of it that the form can keep, show and save. */
export function fitting(view: FormView, { edits, sections, labels = {} }: Typed): Typed {
  const names = keptOf(view.fields)
  const lines = view.lines.flatMap((one) => fittingLines(one, sections.lines[one.name]))
  const links = view.links.flatMap((one) => fittingLinks(one, sections.links[one.name]))
  return {
    edits: {
      ...{ texts: only(edits.texts, names), seen: only(edits.seen, names) },
      ...withReadings(only(edits.readings ?? {}, names)),
    },
    labels: only(labels, new Set(Object.keys(edits.texts).filter((name) => names.has(name)))),
    sections: { lines: Object.fromEntries(lines), links: Object.fromEntries(links) },
  }
}

type Names = ReadonlySet<string>

const keptOf = (fields: readonly FieldInput[]): Names =>
  new Set(fields.flatMap(({ name, isSecret }) => (isSecret ? [] : [name])))

const only = <Text extends string | null>(
  texts: { readonly [name: string]: Text },
  names: Names,
): { readonly [name: string]: Text } =>
  Object.fromEntries(Object.entries(texts).filter(([name]) => names.has(name)))

function fittingLines(
  view: LinesView,
  edits: LinesEdits | undefined,
): (readonly [section: string, LinesEdits])[] {
  if (!edits || view.tooMany !== null) return []
  const { may } = view
  const names = keptOf(view.fields)
  const all = new Set([...names, ...view.fixed.map(({ name }) => name)])
  const lines = edits.lines.flatMap((line): LineEdit[] => {
    if (!(line.isNew ? may.add : line.isRemoved ? may.remove : may.change)) return []
    const fixed = view.rows.find(({ key }) => key === line.id)?.fixed ?? []
    const locked = view.locked[line.isNew ? 'added' : 'stored']
    const asked = new Set([...names].filter((name) => ![...fixed, ...locked].includes(name)))
    const kept = { ...line, texts: only(line.texts, asked), seen: only(line.seen, all) }
    const isTouched = line.isNew || line.isRemoved || Object.keys(kept.texts).length > 0
    return isTouched ? [kept] : []
  })
  const order = may.order ? edits.order : null
  return lines.length > 0 || order ? [[view.name, { lines, order }]] : []
}

function fittingLinks(
  { name, may, tooMany }: LinksView,
  edits: LinksEdits | undefined,
): (readonly [section: string, LinksEdits])[] {
  if (!edits || tooMany !== null) return []
  const added = may.add ? edits.added : []
  const removed = may.remove ? edits.removed : []
  return added.length + removed.length > 0 ? [[name, { added, removed }]] : []
}
