/** Lets a control open the dialog of conditions, which contains controls itself. */

import { createContext, useContext } from 'react'
import type { FilterGroup, FilterOffer } from '../../protocol/filters.ts'
import type { Ask } from './control.ts'

export type GroupQuestion = {
  title: string
  /** What conditions may be about. */
  offers(): Promise<readonly FilterOffer[]>
  /** Absent for conditions on rows of another table. */
  ask?: Ask | undefined
  group: FilterGroup | undefined
  /** `null` for a group without conditions. */
  apply(group: FilterGroup | null): void
}

export const OpenGroupContext = createContext<(question: GroupQuestion) => void>(() => undefined)

export const useOpenGroup = () => useContext(OpenGroupContext)
