/** Reads the lines of a form that was posted without script: which were touched, removed and added. */

import * as v from 'valibot'
import { lineNames, POSTED, type PostedLine } from '../../../protocol/form-view.ts'
import { LINES_MAX } from '../../../protocol/form-sections.ts'
import { UPDATE_LIMITS } from '../../../protocol/wire.ts'
import { AppError } from '../../../server/app-error.ts'
import type { Reader } from '../../../server/http/locale.ts'
import { parseStrictJson } from '../../../server/http/strict-json.ts'
import type { OpenTable } from '../../catalog.ts'
import { byName } from '../../source/by-name.ts'
import { lineFields } from './draw-sections.ts'
import { type Fields, type Posted, shownSchema, touchedIn } from './posted.ts'
import { type LinesSection, sectionsOf } from './sections.ts'

/** A line, how its texts were read, and those of its fields whose text may be the name of a related row. */
export type NamedLine = PostedLine & Pick<Posted, 'named' | 'readings'>

export type PostedSection = { readonly section: LinesSection; readonly lines: readonly NamedLine[] }

const linesSchema = byName(
  v.pipe(
    byName(v.strictObject({ isNew: v.boolean(), fields: shownSchema })),
    v.check((lines) => Object.keys(lines).length <= 2 * LINES_MAX),
  ),
)

/** Only sections with a line that was touched. Throws `REQUEST_INVALID`. */
export function readPostedLines(open: OpenTable, fields: Fields, reader: Reader): PostedSection[] {
  const sent = parseStrictJson(fields.get(POSTED.lines) ?? '{}', UPDATE_LIMITS.depth)
  const parsed = v.safeParse(linesSchema, sent)
  if (!parsed.success)
    throw new AppError('REQUEST_INVALID', { detail: ({ request }) => request.at(POSTED.lines) })
  return sectionsOf(open).lines.flatMap((section) => {
    const shown = Object.entries(parsed.output[section.name] ?? {})
    const inputs = new Map(lineFields(section, reader).map((field) => [field.name, field]))
    const lines = shown.flatMap(([id, { isNew, fields: held }]): NamedLine[] => {
      const prefix = lineNames(section.name, id)
      const isRemoved = fields.has(prefix + POSTED.removed)
      const reading = { fields, inputs, prefix, isNew, shown: new Map(Object.entries(held)) }
      const { typed, seen, readings, named } = touchedIn([...inputs.keys()], reading)
      const isTouched = Object.keys(typed).length > 0 || (isRemoved && !isNew)
      const all = Object.entries(held).map(([name, { seen: text }]) => [name, text] as const)
      const told = isRemoved ? { texts: {}, seen: Object.fromEntries(all) } : { texts: typed, seen }
      return isTouched
        ? [{ id, isNew, isRemoved, ...told, readings, named: isRemoved ? [] : named }]
        : []
    })
    return lines.length > 0 ? [{ section, lines }] : []
  })
}
