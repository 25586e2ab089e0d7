/** The form by which fields create rows of other tables; itself made of fields, so that these do not import it. */

import { type ComponentType, createContext } from 'react'
import type { RelatedRow } from '../../protocol/form-view.ts'

export type RelatedFormProps = {
  /** Id of the component of the form or the cells that the field is of. */
  component: string
  column: string
  /** What was looked for in vain. */
  name: string
  /** `null` if the person may not see the row. */
  created(row: RelatedRow | null): void
  close(): void
}

/** `null` where fields create no rows. */
export const RelatedForm = createContext<ComponentType<RelatedFormProps> | null>(null)
