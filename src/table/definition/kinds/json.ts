/** JSON: its text in a list, formatted in lines on a record page. */

import { prettyJson } from '../../record/pretty-json.ts'
import { defineKind } from '../kind.ts'

export const json = defineKind({
  name: 'json',
  defaultFor: ['json'],
  value(value, context) {
    const text = String(value)
    const pretty = prettyJson(text)
    return { value: pretty === null ? context.text(text) : context.code(pretty, text) }
  },
  isShownLast: true,
})
