/** Addresses of pictures, shown as pictures. */

import { all, any, type ColumnTest, setOf } from '../column-facts.ts'
import { defineKind } from '../kind.ts'
import { addressValue, isAddress, namesAddress } from './link.ts'

const NAMES = setOf(`
  image picture photo photograph avatar thumbnail thumb logo icon cover banner portrait screenshot
`)

/** Such as `avatar`, or `avatar_url`. */
const isCalledImage: ColumnTest = ({ words, last }) =>
  NAMES.has(last) || (namesAddress(last) && NAMES.has(words.at(-2) ?? ''))

const isPicture = (text: string): boolean =>
  isAddress(text) && /\.(?:avif|gif|jpe?g|png|svg|webp)(?:[?#]|$)/i.test(text)

export const image = defineKind({
  name: 'image',
  infer: [
    { types: ['text'], when: [all(isPicture)] },
    { types: ['text'], when: [isCalledImage, any(isAddress)] },
  ],
  value: addressValue,
  endings: ['url', 'uri'],
  showsPictures: true,
})
