/** What was changed in the sections of a form, as changes of their tables, and what stands in the way of it. */

import type { SavedKeys, SavedSections, SectionProblems } from '../../../protocol/form-sections.ts'
import { AppError } from '../../../server/app-error.ts'
import type { ChangeProblem, TableChange } from '../../changes/change.ts'
import { problemText } from '../../changes/problem-text.ts'
import type { KeyValues } from '../../source/value.ts'
import { linesChange } from './lines-change.ts'
import { linksChange } from './links-change.ts'
import type { Owner, SectionServices } from './section-change.ts'
import { type LinesSection, type LinksSection, sectionsOf } from './sections.ts'

export type Prepared = {
  readonly tables: readonly TableChange[]
  /** Without an answer to these, nothing is written. */
  readonly problems: SectionProblems
  /** Problems of the change: `at` is the place in `tables`. */
  told(
    problems: readonly { readonly at: number; readonly problem: ChangeProblem }[],
  ): SectionProblems
  /** What the lines of a change are called that wrote rows with these keys. */
  keysOf(keys: readonly (readonly KeyValues[])[]): SavedKeys
}

/** Throws `FORBIDDEN` for a section that the form does not have. */
export async function prepareSections(
  services: SectionServices,
  owner: Owner,
  saved: SavedSections,
): Promise<Prepared> {
  const { lines, links } = sectionsOf(owner.open)
  const asked = [
    ...Object.entries(saved.lines).map(async ([name, one]) => {
      const section = named(lines, name)
      return { section, ...(await linesChange(services, owner, section, one)) }
    }),
    ...Object.entries(saved.links).map(async ([name, one]) => {
      const section = named(links, name)
      return { section, ...(await linksChange(services, owner, section, one)) }
    }),
  ]
  const changes = await Promise.all(asked)
  const written = changes.filter(({ change }) => (change.rows?.length ?? 0) > 0 || change.ranks)
  return {
    tables: written.map(({ section, change }) => ({
      table: section.open.access.table.name,
      ...change,
    })),
    problems: Object.fromEntries(
      changes.flatMap(({ section, problems }) =>
        Object.keys(problems).length > 0 ? [[section.name, problems]] : [],
      ),
    ),
    told(problems) {
      const told: SectionProblems = {}
      for (const { at, problem } of problems) {
        // The place is one of `tables`.
        const { section, ids } = written[at]!
        const id = problem.place.of === 'rows' ? (ids[problem.place.at] ?? '') : ''
        const [column = ''] = problem.columns
        const line = ((told[section.name] ??= {})[id] ??= { errors: {}, conflicts: [] })
        const text = problemText(problem, section.open.definition, owner.reader)
        line.errors[column] = [...(line.errors[column] ?? []), text]
      }
      return told
    },
    keysOf: (keys) =>
      Object.fromEntries(
        written.flatMap(({ section, ids }, at) => {
          const named = ids.flatMap((id, row) => {
            const key = keys[at]?.[row]
            const name = key && section.open.keys.record(key)
            return id === '' || name == null || name === id ? [] : [[id, name] as const]
          })
          return named.length > 0 ? [[section.name, Object.fromEntries(named)]] : []
        }),
      ),
  }
}

function named<Section extends LinesSection | LinksSection>(
  sections: readonly Section[],
  name: string,
): Section {
  const section = sections.find((one) => one.name === name)
  if (!section) throw new AppError('FORBIDDEN')
  return section
}
