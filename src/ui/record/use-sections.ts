/** The state of a form's sections: what was changed in them, and what stands in the way of saving it. */

import { useCallback, useRef, useState } from 'react'
import type { LineProblems, SectionProblems } from '../../protocol/form-sections.ts'
import { type LinesEdits, NO_LINES } from './line-edits.ts'
import { type LinksEdits, NO_LINKS, type SectionEdits } from './section-edits.ts'

export type SectionsState = {
  readonly edits: SectionEdits
  readonly problems: SectionProblems
  /** Changes the lines of a section; `about` is the line and the field whose problem that answers. */
  changeLines(
    section: string,
    change: (now: LinesEdits) => LinesEdits,
    about?: { readonly id: string; readonly column?: string },
  ): void
  changeLinks(section: string, change: (now: LinksEdits) => LinksEdits): void
  put(edits: SectionEdits): void
  setProblems(problems: SectionProblems): void
}

/** `changed` is told of each change. */
export function useSections(
  changed: (edits: SectionEdits) => void,
  begun: { readonly edits: SectionEdits; readonly problems: SectionProblems | undefined },
): SectionsState {
  const [edits, setEdits] = useState(begun.edits)
  const [problems, setProblems] = useState<SectionProblems>(begun.problems ?? {})
  const latest = useRef(edits)
  const put = useCallback(
    (next: SectionEdits) => {
      latest.current = next
      setEdits(next)
      changed(next)
    },
    [changed],
  )
  const changeLines = useCallback<SectionsState['changeLines']>(
    (section, change, about) => {
      const { lines } = latest.current
      const next = change(lines[section] ?? NO_LINES)
      const isNone = next.lines.length === 0 && next.order === null
      put({
        ...latest.current,
        lines: { ...without(lines, section), ...(!isNone && { [section]: next }) },
      })
      if (about) setProblems((now) => settled(now, section, about))
    },
    [put],
  )
  const changeLinks = useCallback<SectionsState['changeLinks']>(
    (section, change) => {
      const { links } = latest.current
      const next = change(links[section] ?? NO_LINKS)
      const isNone = next.added.length + next.removed.length === 0
      put({
        ...latest.current,
        links: { ...without(links, section), ...(!isNone && { [section]: next }) },
      })
      setProblems((now) => without(now, section))
    },
    [put],
  )
  return { edits, problems, changeLines, changeLinks, put, setProblems }
}

function without<Value>(
  all: { readonly [name: string]: Value },
  name: string,
): { [name: string]: Value } {
  const { [name]: _, ...others } = all
  return others
}

/** The problems without that of a field, or of a whole line. */
function settled(
  problems: SectionProblems,
  section: string,
  { id, column }: { readonly id: string; readonly column?: string },
): SectionProblems {
  const found = problems[section]
  const line = found?.[id]
  if (!found || !line) return problems
  const { [id]: _, ...lines } = found
  const errors = column === undefined ? {} : without(line.errors, column)
  const left: LineProblems = { ...line, errors }
  const isLeft = Object.keys(errors).length > 0
  const next = isLeft ? { ...lines, [id]: left } : lines
  return Object.keys(next).length > 0
    ? { ...problems, [section]: next }
    : without(problems, section)
}
