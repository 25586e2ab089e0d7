/** Lets the server draw the fields of a page without script; the browser loads none of this. */

import { type ComponentType, createContext, useContext } from 'react'
import type { FilterForm, FilterOffer } from '../../protocol/filters.ts'
import type { ControlProps } from './control.ts'

export type FormFilterProps = Pick<ControlProps, 'offer' | 'value'> & {
  /** Its path in the form: its key, or that of a condition. */
  path: string
  /** Whether no control of the live page stands beside it. */
  isAlone?: boolean
}

/** What stands in `<noscript>`. */
export type FormParts = {
  /** The fields of a filter that its live control does not have. */
  readonly Filter: ComponentType<FormFilterProps>
  /** Conditions in groups. */
  readonly Builder: ComponentType<{ offers: readonly FilterOffer[] }>
}

/** `null` in the browser, which draws nothing in `<noscript>`. */
export const FormPartsContext = createContext<FormParts | null>(null)

export const useFormParts = () => useContext(FormPartsContext)

/** What was entered into the form so far. */
export const FormContext = createContext<FilterForm | undefined>(undefined)
