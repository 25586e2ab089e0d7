/** Long values of which a page has only the beginning: the rest comes when somebody asks for it. */

import { createContext } from 'react'
import type { FieldValue } from '../../protocol/record-view.ts'

/** Asks for the whole value of a field; `null` if it is not there any more. */
export type AskWhole = (name: string) => Promise<FieldValue | null>

/** Where nobody is asked, values are shown as they are. */
export const WholeValues = createContext<AskWhole | null>(null)
