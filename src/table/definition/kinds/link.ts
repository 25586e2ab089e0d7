/** Web addresses: links, if they are safe to open. */

import { isMailAddress } from '../../../protocol/mail-address.ts'
import type { FieldValue } from '../../../protocol/record-view.ts'
import { INLINE } from '../../record/inline.ts'
import { all, any, type ColumnTest, setOf } from '../column-facts.ts'
import { defineKind, type DrawnValue, type ValueContext, type WrittenValue } from '../kind.ts'

const NAMES = setOf('url uri link href website homepage webpage')

/** Whether the last word of a name says that it holds addresses. */
export const namesAddress = (word: string): boolean => NAMES.has(word)

export const isAddress = (text: string): boolean => /^https?:\/\/[^\s]+$/i.test(text)

const isCalledLink: ColumnTest = ({ last }) => namesAddress(last)

export const link = defineKind({
  name: 'link',
  infer: [
    { types: ['text'], when: [all(isAddress)] },
    { types: ['text'], when: [isCalledLink, any(isAddress)] },
  ],
  value: addressValue,
})

/** Only what is safe to open becomes a link: other schemes run script or open programs. */
export function addressValue(value: WrittenValue, context: ValueContext): DrawnValue {
  const text = String(value)
  const href = hrefOf(text)
  const drawn: FieldValue = href === null ? context.text(text) : { is: 'link', text, href }
  return { value: drawn }
}

function hrefOf(text: string): string | null {
  if (text.length > INLINE.length) return null
  if (isMailAddress(text)) return `mailto:${text}`
  const url = /^https?:\/\//i.test(text) ? URL.parse(text) : null
  return url?.protocol === 'http:' || url?.protocol === 'https:' ? url.href : null
}
