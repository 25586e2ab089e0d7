/** What a form is of, and what saves it: the page's own row, or one that is created beside it. */

import { useEffect, useMemo, useRef } from 'react'
import type { SavedKeys, SavedSections } from '../../protocol/form-sections.ts'
import type { FormComponent, FormView, SaveResult } from '../../protocol/form-view.ts'
import { editQuery, fromQuery } from '../../protocol/record-view.ts'
import { useRuntime } from '../../react/runtime-context.tsx'
import { useComponent, usePage } from '../../react/use-component.ts'
import { useTellDone } from '../history/use-undo.ts'
import type { Saving } from './after-save.ts'
import type { Readings, Texts } from './edits.ts'
import { handOver } from './handed-over.ts'

export type FormPort = {
  readonly view: FormView
  /** Names it among the drafts of its person. */
  readonly place: string
  /** `null` where the page's failure display says what went wrong. */
  save(
    texts: Texts,
    seen: Texts,
    sections: SavedSections | null,
    readings: Readings,
  ): Promise<Saved | null>
  authors(columns: string[]): Promise<Texts>
  notShown(texts: Texts): Promise<string[]>
}

type Refused = Pick<
  Extract<SaveResult, { status: 'refused' }>,
  'status' | 'errors' | 'sections'
> & { readonly keys?: never }

type Saved = Refused | Settled

export type Settled = {
  readonly status: 'saved'
  readonly keys?: SavedKeys
  /** Leaves the form, which holds nothing unsaved by then. */
  settle(): unknown
  /**
   * Goes on with what was typed meanwhile: in this form, as it is drawn now, or in that of the row that was saved,
   * which takes it over. Absent where the form ends with the save.
   */
  goOn?(saving: () => Saving): Promise<FormView | null>
}

/** The form of the page's own component. */
export function useRecordPort(component: string): FormPort {
  const { view: drawn, call } = useComponent<FormComponent>(component)
  const { url } = usePage()
  const runtime = useRuntime()
  const tellDone = useTellDone()
  const view = useMemo(
    () => ({ ...drawn, backHref: withinList(drawn.backHref, url) }),
    [drawn, url],
  )
  const latest = useRef(view)
  useEffect(() => {
    latest.current = view
  })
  return {
    view,
    place: url,
    async save(texts, seen, sections, readings) {
      const result = await call.save({ ...texts }, { ...seen }, sections, { ...readings })
      if (result.status === 'refused') return result
      const { href, keys } = result
      const isHere = url.split('?', 1)[0] === href
      return {
        ...{ status: 'saved', ...(keys && { keys }) },
        settle() {
          tellDone(result.text, result.entry)
          // Back leads to where the form was opened, not to the form.
          return runtime.visit(withinList(href, url), { history: 'replace' })
        },
        async goOn(saving) {
          tellDone(result.text, result.entry)
          if (isHere) {
            // Its view has come with the answer, and is drawn in a moment.
            await new Promise((done) => setTimeout(done))
            return latest.current
          }
          const form = editHref(href, url)
          handOver(form, saving)
          await runtime.visit(form, { history: 'replace' })
          return null
        },
      }
    },
    authors: (columns) => call.authors(columns),
    notShown: (texts) => call.notShown({ ...texts }),
  }
}

/** The list that the form at `url` was opened from. */
const listOf = (url: string): string => new URLSearchParams(url.split('?')[1]).get('from') ?? ''

/** The address of a row as one of that list. */
const withinList = (href: string, url: string): string => href + fromQuery(listOf(url))

const editHref = (href: string, url: string): string => href + editQuery(listOf(url))
