/** Links that a form makes and takes away, as rows of a joining table. */

import { messagesFor } from '../../../messages/messages.ts'
import type { SavedLinks } from '../../../protocol/form-sections.ts'
import type { RowChange } from '../../source/write-unit.ts'
import { expected } from './changed.ts'
import { readDrawn } from './read-text.ts'
import {
  insertFor,
  type Owner,
  type SectionChange,
  sectionProblem,
  type SectionServices,
  tooManyHere,
} from './section-change.ts'
import { areTooMany, readSection } from './section-rows.ts'
import type { LinksSection } from './sections.ts'
import { writeText } from './write-text.ts'

/** What others have linked or taken away already is as the person wants it. */
export async function linksChange(
  { source }: SectionServices,
  owner: Owner,
  section: LinksSection,
  { added, removed }: SavedLinks,
): Promise<SectionChange> {
  const { open, foreignKey, to } = section
  const rows = owner.row ? await readSection(source, section, owner.row) : []
  if (areTooMany(rows)) return tooManyHere(owner)
  const held = new Map(rows.map((row) => [writeText(row.values[to] ?? null), row]))
  const taken = removed.flatMap((text): RowChange[] => {
    const row = held.get(text)
    const expect = row && expected(row.values, [...foreignKey.columns, to])
    return row && expect ? [{ delete: row.key, expect }] : []
  })
  const column = open.access.table.columns.find(({ name }) => name === to)
  const read = [...new Set(added)]
    .filter((text) => !held.has(text))
    .map((text) => column && readDrawn(column, text, owner.reader.locale))
  const made = read.flatMap((one): RowChange[] =>
    one && 'value' in one && one.value !== null
      ? [insertFor(owner, foreignKey, { [to]: one.value })]
      : [],
  )
  const { form } = messagesFor(owner.reader.language)
  const change = [...taken, ...made]
  return {
    ...{ change: { rows: change }, ids: change.map(() => '') },
    problems: made.length < read.length ? sectionProblem(form.choose) : {},
  }
}
