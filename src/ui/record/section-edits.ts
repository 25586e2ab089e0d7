/** What a person has changed in the sections of a form and not saved: lines and links, by section. */

import type { LinksView, SavedSections, SectionProblems } from '../../protocol/form-sections.ts'
import type { FormView, PostedForm } from '../../protocol/form-view.ts'
import { isObject, isTexts } from './edits.ts'
import {
  begunLines,
  contestedIn,
  countLines,
  isGone,
  isOrderContested,
  type LinesEdits,
  linesIn,
  NO_LINES,
  savedLines,
} from './line-edits.ts'

export type Chip = LinksView['chips'][number]

/** Links that are to be made, and those that are to be taken away. */
export type LinksEdits = { readonly added: readonly Chip[]; readonly removed: readonly string[] }

export type SectionEdits = {
  readonly lines: { readonly [section: string]: LinesEdits }
  readonly links: { readonly [section: string]: LinksEdits }
}

export const NO_SECTIONS: SectionEdits = { lines: {}, links: {} }
/** What was typed without script into sections, and not saved. */
export const postedSections = ({ lines }: Pick<PostedForm, 'lines'>): SectionEdits => ({
  ...NO_SECTIONS,
  lines: Object.fromEntries(
    Object.entries(lines).map(([name, some]) => [name, { lines: some, order: null }]),
  ),
})

/** What a form begins with. */
export const begunSections = ({ lines }: Pick<FormView, 'lines'>): SectionEdits => ({
  ...NO_SECTIONS,
  lines: Object.fromEntries(
    lines.flatMap((one) => (one.copied.length > 0 ? [[one.name, begunLines(one)]] : [])),
  ),
})

export const NO_LINKS: LinksEdits = { added: [], removed: [] }

/** The rows that the row is to be linked to. */
export function chipsIn({ chips }: LinksView, { added, removed }: LinksEdits): Chip[] {
  const kept = chips.filter(({ text }) => !removed.includes(text))
  const held = new Set(chips.map(({ text }) => text))
  return [...kept, ...added.filter(({ text }) => !held.has(text))]
}

export function addChip(view: LinksView, { added, removed }: LinksEdits, chip: Chip): LinksEdits {
  if (removed.includes(chip.text))
    return { added, removed: removed.filter((text) => text !== chip.text) }
  const isHeld = [...view.chips, ...added].some(({ text }) => text === chip.text)
  return isHeld ? { added, removed } : { added: [...added, chip], removed }
}

export function removeChip(
  view: LinksView,
  { added, removed }: LinksEdits,
  text: string,
): LinksEdits {
  const isStored = view.chips.some((chip) => chip.text === text)
  return {
    added: added.filter((chip) => chip.text !== text),
    removed: isStored ? [...removed, text] : removed,
  }
}

const isLinked = ({ added, removed }: LinksEdits): boolean => added.length + removed.length > 0

export type SectionCounts = {
  /** Links count as fields: a section of them is one. */
  readonly fields: number
  readonly lines: number
  /** What the person has to decide first. */
  readonly choices: number
}

export function countSections(view: FormView, { lines, links }: SectionEdits): SectionCounts {
  return {
    fields: Object.values(links).filter(isLinked).length,
    lines: Object.values(lines).reduce((sum, one) => sum + countLines(one).changed, 0),
    choices: view.lines.reduce((sum, one) => {
      const edits = lines[one.name] ?? NO_LINES
      const contested = linesIn(one, edits).filter(
        (line) => contestedIn(line).length > 0 || isGone(line),
      )
      return sum + contested.length + (isOrderContested(one, edits) ? 1 : 0)
    }, 0),
  }
}

/** Fields, lines and sections in whose way something stands. */
export const countProblems = (problems: SectionProblems): number =>
  Object.values(problems)
    .flatMap((lines) => Object.values(lines))
    .reduce((sum, { errors }) => sum + Object.keys(errors).length, 0)

/** As they are saved; `null` for nothing. */
export function savedSections(
  view: FormView,
  { lines, links }: SectionEdits,
): SavedSections | null {
  const saved = view.lines.flatMap((section) => {
    const one = savedLines(section, lines[section.name] ?? NO_LINES)
    return one ? [[section.name, one] as const] : []
  })
  const linked = Object.entries(links).filter(([, edits]) => isLinked(edits))
  if (saved.length + linked.length === 0) return null
  return {
    lines: Object.fromEntries(saved),
    links: Object.fromEntries(
      linked.map(([name, { added, removed }]) => [
        name,
        { added: added.map(({ text }) => text), removed: [...removed] },
      ]),
    ),
  }
}

const are = (found: unknown, isOne: (one: unknown) => boolean): boolean =>
  isObject(found) && Object.values(found).every(isOne)

const areTexts = (found: unknown): boolean =>
  Array.isArray(found) && found.every((text) => typeof text === 'string')

/** Whether this is what a draft has kept. */
export const isSectionEdits = (found: unknown): found is SectionEdits =>
  isObject(found) &&
  are(
    found['lines'],
    (one) =>
      isObject(one) &&
      (one['order'] === null || are(one['order'], areTexts)) &&
      Array.isArray(one['lines']) &&
      one['lines'].every(
        (line) =>
          isObject(line) &&
          typeof line['id'] === 'string' &&
          typeof line['isNew'] === 'boolean' &&
          typeof line['isRemoved'] === 'boolean' &&
          isTexts(line['texts']) &&
          isTexts(line['seen']),
      ),
  ) &&
  are(
    found['links'],
    (one) =>
      isObject(one) &&
      areTexts(one['removed']) &&
      Array.isArray(one['added']) &&
      one['added'].every(isTexts),
  )
