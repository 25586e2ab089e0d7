/** What a page with a form is about. */

import type { PostedForm } from '../../protocol/form-view.ts'
import type { OpenTable } from '../../table/catalog.ts'

export type OpenedForm = {
  readonly definition: OpenTable['definition']
  /** What was posted without script and not saved; `null` where nothing was. */
  readonly posted: PostedForm | null
}
