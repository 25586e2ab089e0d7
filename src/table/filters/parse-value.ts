/** Finds the form that a value has, and the condition that it makes. */

import { AppError } from '../../server/app-error.ts'
import { badFilter, type Condition, type Filter, type Form, type Given, isUnset } from './filter.ts'

/**
 * A filter's condition; `undefined` where the value asks for nothing. Throws `TABLE_BAD_PARAMETER` for
 * a value that has none of the filter's forms, or two of them.
 */
export function parseValue({ key, forms }: Filter, value: unknown): Condition | undefined {
  if (value === null || value === undefined) return undefined
  if (typeof value !== 'object' || Array.isArray(value)) throw malformed(key)
  const given: Given = { ...value }
  const known = new Set(forms.flatMap(({ parts }) => parts))
  if (Object.keys(given).some((part) => !known.has(part))) throw malformed(key)
  const touched = forms.filter(({ parts }) => parts.some((part) => !isUnset(given[part])))
  // A form's select, such as the test of a text, says nothing without the text beside it.
  const asking = touched.length > 1 ? touched.filter((form) => isAsking(form, given)) : touched
  const [form, ...others] = asking
  if (others.length > 0) throw malformed(key)
  return form?.parse(partsOf(form, given))
}

const malformed = (key: string): AppError => badFilter(key, ({ filter }) => filter.badForm)

const partsOf = ({ parts }: Form, given: Given): Given =>
  Object.fromEntries(parts.map((part) => [part, given[part]]))

/** Whether a form asks for something by these parts. What it refuses, it asked for. */
function isAsking(form: Form, given: Given): boolean {
  try {
    return form.parse(partsOf(form, given)) !== undefined
  } catch (error) {
    if (error instanceof AppError) return true
    throw error
  }
}
