/** What a form is of, and what saves it: the page's own row, or one that is created beside it. */

import { useMemo } from 'react'
import type { SavedSections } from '../../protocol/form-sections.ts'
import type { FormComponent, FormView, SaveResult } from '../../protocol/form-view.ts'
import { fromQuery } from '../../protocol/record-view.ts'
import { useRuntime } from '../../react/runtime-context.tsx'
import { useComponent, usePage } from '../../react/use-component.ts'
import { useTellDone } from '../history/use-undo.ts'
import type { Texts } from './edits.ts'

export type FormPort = {
  readonly view: FormView
  /** Names it among the drafts of its person. */
  readonly place: string
  /** `null` where the page's failure display says what went wrong. */
  save(texts: Texts, seen: Texts, sections: SavedSections | null): Promise<Saved | null>
  authors(columns: string[]): Promise<Texts>
  notShown(texts: Texts): Promise<string[]>
}

type Saved =
  | Pick<Extract<SaveResult, { status: 'refused' }>, 'status' | 'errors' | 'sections'>
  /** `settle` leaves the form, which holds nothing unsaved by then. */
  | { readonly status: 'saved'; settle(): unknown }

/** The form of the page's own component. */
export function useRecordPort(component: string): FormPort {
  const { view: drawn, call } = useComponent<FormComponent>(component)
  const { url } = usePage()
  const { visit } = useRuntime()
  const tellDone = useTellDone()
  const view = useMemo(
    () => ({ ...drawn, backHref: withinList(drawn.backHref, url) }),
    [drawn, url],
  )
  return {
    view,
    place: url,
    async save(texts, seen, sections) {
      const result = await call.save({ ...texts }, { ...seen }, sections)
      if (result.status === 'refused') return result
      return {
        status: 'saved',
        settle() {
          tellDone(result.text, result.entry)
          // Back leads to where the form was opened, not to the form.
          return visit(withinList(result.href, url), { history: 'replace' })
        },
      }
    },
    authors: (columns) => call.authors(columns),
    notShown: (texts) => call.notShown({ ...texts }),
  }
}

/** The address of a row as one of the list that the form at `url` was opened from. */
const withinList = (href: string, url: string): string =>
  href + fromQuery(new URLSearchParams(url.split('?')[1]).get('from') ?? '')
