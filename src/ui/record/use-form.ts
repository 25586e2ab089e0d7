/** The edits of a form: typed, kept as a draft, saved, and settled where others have changed them, too. */

import { useCallback, useRef, useState } from 'react'
import type { FieldConflict, FormView, PostedForm } from '../../protocol/form-view.ts'
import { useTimeZone } from '../../react/use-component.ts'
import type { FormPort } from './form-port.ts'
import { useConflicts } from './use-conflicts.ts'
import { useDrafts } from './use-drafts.ts'
import { useNotShown } from './use-not-shown.ts'
import type { FoundDraft, Typed } from './drafts.ts'
import { edited, type Edits, insisting, NO_EDITS, type Texts } from './edits.ts'
import { countSections, NO_SECTIONS, savedSections, type SectionCounts } from './section-edits.ts'
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
  /** How often saving was refused. */
  readonly refusals: number
  readonly isSaving: boolean
  /** Whether script runs, so that the form need not be posted. */
  readonly isHydrated: boolean
  /** What was typed here before and never saved. */
  readonly draft: FoundDraft | null
  /** Labels of related rows that were chosen here, by column and key. */
  readonly chosen: ReadonlyMap<string, string>
  change(column: string, text: string | null, label?: string): void
  /** Drops the edit of a field, so that it holds what is stored. */
  take(column: string): void
  keepMine(column: string): void
  revert(): void
  restore(): void
  discard(): void
  save(): Promise<void>
}

/** `posted`: what was posted before script ran, or without any. */
export function useForm(port: FormPort, posted: PostedForm | null): FormState {
  const { view } = port
  const [edits, setEdits] = useState<Edits>(posted ?? NO_EDITS)
  const [errors, setErrors] = useState<FormErrors>(posted?.errors ?? {})
  const [chosen, setChosen] = useState<ReadonlyMap<string, string>>(new Map())
  const [isSaving, setSaving] = useState(false)
  const [refusals, setRefusals] = useState(0)
  const isHydrated = useTimeZone() !== null
  const { draft, keep: keepDraft, forget } = useDrafts(port, isHydrated)

  /** The edits as of now: what comes late, such as a suggestion, must not take back what was typed since. */
  const latest = useRef<Typed>({ edits, sections: NO_SECTIONS })
  const keep = useCallback(
    (next: Partial<Typed>) => {
      latest.current = { ...latest.current, ...next }
      keepDraft(latest.current)
    },
    [keepDraft],
  )
  const sections = useSections(useCallback((next) => keep({ sections: next }), [keep]))
  const put = useCallback(
    (next: Edits) => {
      setEdits(next)
      keep({ edits: next })
    },
    [keep],
  )
  const putAll = (next: Typed) => {
    put(next.edits)
    sections.put(next.sections)
  }
  const storedOf = (column: string) => view.fields.find(({ name }) => name === column)?.text ?? null
  const contested = useConflicts(port, edits, posted?.authors)
  const isEdited = Object.keys(edits.texts).length > 0
  const texts = view.isNew ? { ...begunWith(view), ...edits.texts } : edits.texts
  const notShown = useNotShown(port, isEdited ? texts : NO_EDITS.texts)
  const conflicts = contested.filter(({ column }) => !notShown.has(column))

  function drop(): void {
    putAll({ edits: NO_EDITS, sections: NO_SECTIONS })
    setErrors({})
    sections.setProblems({})
  }

  async function save(): Promise<void> {
    setSaving(true)
    // The page's failure display says what went wrong; what was typed stays.
    const result = await port
      .save(texts, edits.seen, savedSections(view, sections.edits))
      .catch(() => null)
    setSaving(false)
    if (!result) return
    if (result.status === 'refused') {
      setErrors(result.errors)
      sections.setProblems(result.sections ?? {})
      setRefusals((count) => count + 1)
      return
    }
    drop()
    await result.settle()
  }

  return {
    ...{ view, errors, conflicts, notShown, refusals, isSaving, isHydrated, draft, save, chosen },
    ...{ sections, counts: countSections(view, sections.edits) },
    seen: edits.seen,
    edits: Object.fromEntries(Object.entries(edits.texts).filter(([name]) => !notShown.has(name))),
    change(column, text, label) {
      if (label !== undefined) setChosen((all) => new Map(all).set(chosenAt(column, text), label))
      const { [column]: _, ...others } = errors
      setErrors(others)
      put(edited(latest.current.edits, column, text, storedOf(column)))
    },
    take: (column) => put(edited(latest.current.edits, column, storedOf(column), storedOf(column))),
    keepMine: (column) => put(insisting(latest.current.edits, column, storedOf(column))),
    revert: drop,
    restore() {
      if (!draft) return
      forget()
      putAll(draft)
    },
    discard: forget,
  }
}

export const chosenAt = (column: string, text: string | null): string => `${column}\0${text ?? ''}`

/** What a new row holds before anything is typed: of a copy, the other row's values. */
const begunWith = ({ fields }: FormView): Texts =>
  Object.fromEntries(fields.flatMap(({ name, text }) => (text === null ? [] : [[name, text]])))
