/** The edits of a form: typed, kept as a draft, saved, and settled where others have changed them, too. */

import { useCallback, useMemo, useRef, useState } from 'react'
import type { FieldConflict, FormComponent, FormView } from '../../protocol/form-view.ts'
import { useRuntime } from '../../react/runtime-context.tsx'
import { useComponent, usePage, useTimeZone } from '../../react/use-component.ts'
import { useTellDone } from '../history/use-undo.ts'
import { type Draft, edited, type Edits, readDraft, writeDraft } from './edits.ts'

export type FormErrors = { readonly [column: string]: readonly string[] }

export type FormState = {
  readonly view: FormView
  readonly edits: Edits
  readonly errors: FormErrors
  readonly conflicts: readonly FieldConflict[]
  /** How often saving was refused. */
  readonly refusals: number
  readonly isSaving: boolean
  /** What was typed here before and never saved. */
  readonly draft: Draft | null
  change(column: string, text: string | null): void
  /** Drops the edit of a field, so that it holds what is stored. */
  take(column: string): void
  keepMine(column: string): void
  revert(): void
  restore(): void
  discard(): void
  save(): Promise<void>
}

export function useForm(component: string): FormState {
  const { view, call } = useComponent<FormComponent>(component)
  const { visit } = useRuntime()
  const { url } = usePage()
  const tellDone = useTellDone()
  const [edits, setEdits] = useState<Edits>({})
  const [errors, setErrors] = useState<FormErrors>({})
  const [conflicts, setConflicts] = useState<readonly FieldConflict[]>([])
  const [isSaving, setSaving] = useState(false)
  const [refusals, setRefusals] = useState(0)
  const [openedAt] = useState(() => Date.now())
  const isHydrated = useTimeZone() !== null
  const [isTouched, setTouched] = useState(false)
  const draft = useMemo(
    () => (isHydrated && !isTouched ? readDraft(sessionStorage, url, openedAt) : null),
    [isHydrated, isTouched, url, openedAt],
  )

  /** The edits as of now: what comes late, such as a suggestion, must not take back what was typed since. */
  const latest = useRef<Edits>({})
  const put = useCallback(
    (next: Edits) => {
      latest.current = next
      setEdits(next)
      setTouched(true)
      writeDraft(sessionStorage, url, next, Date.now())
    },
    [url],
  )
  const storedOf = (column: string) => view.fields.find(({ name }) => name === column)?.text ?? null
  const settled = (column: string) =>
    setConflicts((all) => all.filter((one) => one.column !== column))

  async function save(): Promise<void> {
    setSaving(true)
    // The page's failure display says what went wrong; what was typed stays.
    const result = await call
      .save(view.isNew ? { ...begunWith(view), ...edits } : edits)
      .catch(() => null)
    setSaving(false)
    if (!result) return
    if (result.status === 'refused') {
      setErrors(result.errors)
      setConflicts(result.conflicts)
      setRefusals((count) => count + 1)
      return
    }
    put({})
    setErrors({})
    setConflicts([])
    tellDone(result.text, result.entry)
    await visit(result.href)
  }

  return {
    ...{ view, edits, errors, conflicts, refusals, isSaving, draft, save },
    change(column, text) {
      const { [column]: _, ...others } = errors
      setErrors(others)
      put(edited(latest.current, column, text, storedOf(column)))
    },
    take(column) {
      settled(column)
      put(edited(latest.current, column, storedOf(column), storedOf(column)))
    },
    keepMine: settled,
    revert() {
      put({})
      setErrors({})
      setConflicts([])
    },
    restore: () => draft && put(draft.edits),
    discard: () => put({}),
  }
}

/** What a new row holds before anything is typed: of a copy, the other row's values. */
const begunWith = ({ fields }: FormView): Edits =>
  Object.fromEntries(fields.flatMap(({ name, text }) => (text === null ? [] : [[name, text]])))
