/** The edits of a form: typed, kept as a draft, saved, and settled where others have changed them, too. */

import { useCallback, useRef, useState } from 'react'
import type { FieldConflict, FormView, PostedForm } from '../../protocol/form-view.ts'
import { useTimeZone } from '../../react/use-component.ts'
import { leftAfter, type Saving } from './after-save.ts'
import type { FormPort, Settled } from './form-port.ts'
import { takeOver } from './handed-over.ts'
import type { Refused } from './problems.tsx'
import { type Arriving, type ArrivingFile, useArriving } from './use-arriving.ts'
import { useConflicts } from './use-conflicts.ts'
import { useDrafts } from './use-drafts.ts'
import { useNotShown } from './use-not-shown.ts'
import type { FoundDraft, Labels, Typed } from './drafts.ts'
import { edited, type Edits, insisting, NO_EDITS, readingsOf, type Texts } from './edits.ts'
import {
  begunSections,
  countSections,
  NO_SECTIONS,
  postedSections,
  savedSections,
  type SectionCounts,
  type SectionEdits,
} from './section-edits.ts'
import { type SectionsState, useSections } from './use-sections.ts'

export type FormErrors = { readonly [column: string]: readonly string[] }

export type FormState = {
  readonly view: FormView
  /** Texts of the fields that were touched and are shown. */
  readonly edits: Texts
  /** What these fields held when the person began to. */
  readonly seen: Texts
  readonly errors: FormErrors
  readonly conflicts: readonly FieldConflict[]
  /** Names of fields that are not shown: what was typed into them waits until they are. */
  readonly notShown: ReadonlySet<string>
  readonly sections: SectionsState
  readonly counts: SectionCounts
  /** The problems of the last save, if that was refused, whatever was corrected since. */
  readonly refused: Refused | null
  /** Fields whose files are on their way, or have failed to arrive. */
  readonly arriving: Arriving
  /** How often saving was refused. */
  readonly refusals: number
  readonly isSaving: boolean
  /** The name of the field that has the focus, where another form hands over what was typed. */
  readonly focus: string | null
  /** Whether script runs, so that the form need not be posted. */
  readonly isHydrated: boolean
  /** What was typed here before and never saved. */
  readonly draft: FoundDraft | null
  /** Names of files and labels of related rows that the edits stand for, by column. */
  readonly labels: Labels
  change(column: string, text: string | null, label?: string): void
  /** Drops the edit of a field, so that it holds what is stored. */
  take(column: string): void
  keepMine(column: string): void
  revert(): void
  restore(): void
  discard(): void
  save(): Promise<void>
  /** Says what has become of the file of a field; `null` once none is on its way. */
  setArriving(column: string, as: ArrivingFile | null): void
}

/** `posted`: what was posted before script ran, or without any. */
export function useForm(port: FormPort, posted: PostedForm | null): FormState {
  const { view } = port
  const [taken] = useState(() => takeOver(port.place))
  const [begun] = useState<Typed>(() =>
    taken
      ? leftAfter(taken.saving, view)
      : {
          edits: posted ? { ...posted, readings: drawnReadings(view) } : NO_EDITS,
          sections: posted ? postedSections(posted) : begunSections(view),
        },
  )
  const [edits, setEdits] = useState(begun.edits)
  const [errors, setErrors] = useState<FormErrors>(posted?.errors ?? {})
  const [labels, setLabels] = useState<Labels>(begun.labels ?? {})
  const [isSaving, setSaving] = useState(false)
  const [refusals, setRefusals] = useState(0)
  const [refused, setRefused] = useState<Refused | null>(
    posted && { errors: posted.errors, sections: posted.problems ?? {} },
  )
  const { arriving, setArriving, arrived } = useArriving()
  const isHydrated = useTimeZone() !== null
  const { draft, keep: keepDraft, forget } = useDrafts(port, isHydrated)

  /** The edits as of now: what comes late, such as a suggestion, must not take back what was typed since. */
  const latest = useRef<Typed>(begun)
  const keep = useCallback(
    (next: Partial<Typed>) => {
      latest.current = { ...latest.current, ...next }
      keepDraft(latest.current)
    },
    [keepDraft],
  )
  const sections = useSections(
    useCallback((next) => keep({ sections: next }), [keep]),
    { edits: begun.sections, problems: posted?.problems },
  )
  const put = useCallback(
    (next: Edits) => {
      setEdits(next)
      keep({ edits: next })
    },
    [keep],
  )
  const putAll = ({ labels: names = {}, ...next }: Typed) => {
    setLabels(names)
    keep({ labels: names })
    put(next.edits)
    sections.put(next.sections)
  }
  const fieldOf = (column: string) => view.fields.find(({ name }) => name === column)
  const storedOf = (column: string) => fieldOf(column)?.text ?? null
  const contested = useConflicts(port, edits, posted?.authors)
  const isEdited = Object.keys(edits.texts).length > 0
  const savedTexts = ({ texts }: Edits): Texts =>
    view.isNew ? { ...begunWith(view), ...texts } : texts
  const texts = savedTexts(edits)
  const notShown = useNotShown(port, isEdited ? texts : NO_EDITS.texts)
  // What is being saved is no colleague's.
  const conflicts = isSaving ? [] : contested.filter(({ column }) => !notShown.has(column))

  function drop(left: SectionEdits): void {
    putAll({ edits: NO_EDITS, sections: left })
    setErrors({})
    sections.setProblems({})
    setRefused(null)
  }

  async function save(): Promise<void> {
    setSaving(true)
    // Without a file that has not arrived, the row would not be what the person sees.
    const { texts: before } = latest.current.edits
    const awaited = await arrived()
    if (!awaited) {
      setSaving(false)
      setRefusals((count) => count + 1)
      return
    }
    // Who takes a file back that the save waits for has changed their mind.
    if (awaited.some((name) => latest.current.edits.texts[name] === before[name]))
      return setSaving(false)
    const all = ({ edits: now, sections }: Typed): Typed => ({
      ...{ edits: { ...now, texts: savedTexts(now) }, sections },
    })
    const begin = latest.current
    const sent = all(begin)
    // The page's failure display says what went wrong; what was typed stays.
    const result = await port
      .save(
        savedTexts(begin.edits),
        begin.edits.seen,
        savedSections(view, begin.sections),
        savedReadings(view, begin.edits),
      )
      .catch(() => null)
    const saving = () => ({ sent, now: all(latest.current), keys: result?.keys ?? {} })
    if (result?.status === 'saved')
      await (latest.current === begin ? leave(result) : goOn(result, saving))
    setSaving(false)
    if (result?.status !== 'refused') return
    const { texts: now } = latest.current.edits
    // What was typed since has not been judged.
    const isJudged = (column: string) => now[column] === begin.edits.texts[column]
    setErrors(
      Object.fromEntries(Object.entries(result.errors).filter(([column]) => isJudged(column))),
    )
    sections.setProblems(result.sections ?? {})
    setRefused({ errors: result.errors, sections: result.sections ?? {} })
    setRefusals((count) => count + 1)
  }

  async function leave({ settle }: Settled): Promise<void> {
    drop(NO_SECTIONS)
    // Whoever leaves is asked about what they type from now on.
    setSaving(false)
    await settle()
  }

  /** Goes on with what was typed while the form was saved. */
  async function goOn(result: Settled, saving: () => Saving): Promise<void> {
    if (!result.goOn) return leave(result)
    const drawn = await result.goOn(saving)
    if (drawn) putAll(leftAfter(saving(), drawn))
    else keepDraft({ edits: NO_EDITS, sections: NO_SECTIONS })
    setErrors({})
    sections.setProblems({})
    setRefused(null)
  }

  const counts = countSections(view, sections.edits)
  const files = [...arriving.keys()].filter((name) => !(name in edits.texts))

  return {
    ...{
      view,
      errors,
      conflicts,
      notShown,
      refused,
      refusals,
      isSaving,
      isHydrated,
      draft,
      save,
      labels,
    },
    ...{ arriving, setArriving, sections },
    counts: { ...counts, fields: counts.fields + files.length },
    ...{ seen: edits.seen, focus: taken?.focus ?? null },
    edits: Object.fromEntries(Object.entries(edits.texts).filter(([name]) => !notShown.has(name))),
    change(column, text, label) {
      const { [column]: __, ...names } = latest.current.labels ?? {}
      const now = label === undefined ? names : { ...names, [column]: label }
      setLabels(now)
      keep({ labels: now })
      const { [column]: _, ...others } = errors
      setErrors(others)
      const { reading } = fieldOf(column) ?? {}
      put(edited(latest.current.edits, column, text, storedOf(column), reading))
    },
    take: (column) => put(edited(latest.current.edits, column, storedOf(column), storedOf(column))),
    keepMine: (column) => put(insisting(latest.current.edits, column, storedOf(column))),
    revert: () => drop(begunSections(view)),
    restore() {
      if (!draft) return
      forget()
      putAll(draft)
    },
    discard: forget,
  }
}

const drawnReadings = ({ fields }: FormView) => readingsOf(fields, NO_EDITS)

/** How the texts of the row are read, and those of lines: as their fields are drawn. */
const savedReadings = ({ fields, lines }: FormView, edits: Edits) => ({
  ...Object.fromEntries(
    lines.flatMap((section) =>
      section.fields.flatMap(({ name, reading }) =>
        reading === undefined ? [] : [[`${section.name}/${name}`, reading]],
      ),
    ),
  ),
  ...readingsOf(fields, edits),
})

/** What a new row holds before anything is typed: of a copy, the other row's values. */
const begunWith = ({ fields }: FormView): Texts =>
  Object.fromEntries(fields.flatMap(({ name, text }) => (text === null ? [] : [[name, text]])))
