/** Keys of files that are kept for good: each tells the name of its file, wherever it is read. */

import { endingOf, typeOfEnding } from './file-types.ts'
import type { UploadRecord } from './upload-records.ts'

/** Longest name in a key, letters: a file system takes 255 bytes. */
const NAME_MAX = 50
/** Letters that every key fits into. */
export const KEY_LETTERS = 100

const KEPT = /^kept\/[\w-]{2}\/([\w-]{22})-([\p{L}\p{N}_-]{1,100}\.([a-z0-9]{1,5}))$/u

/** The same one each time, so that a file can be kept again after a failure. */
export const keptKey = ({
  id,
  digest,
  name,
  type,
}: Pick<UploadRecord, 'id' | 'digest' | 'name' | 'type'>): string =>
  `kept/${digest.slice(0, 2)}/${id}-${wordsOf(name)}.${endingOf(type)}`

/** What a key tells of its file; `undefined` for a text that is no key. */
export function readKey(
  text: string,
): { readonly id: string; readonly name: string; readonly type: string } | undefined {
  const [, id, name, ending] = KEPT.exec(text) ?? []
  return id === undefined || name === undefined || ending === undefined
    ? undefined
    : { id, name, type: typeOfEnding(ending) }
}

/** Letters, digits and dashes: no storage, shell or header reads anything else into them. */
function wordsOf(name: string): string {
  const bare = name.normalize('NFC').replace(/\.[a-z0-9]+$/i, '')
  const plain = bare.replace(/[^\p{L}\p{N}_]+/gu, '-').replace(/^-+/, '')
  return [...plain].slice(0, NAME_MAX).join('').replace(/-+$/, '') || 'file'
}
