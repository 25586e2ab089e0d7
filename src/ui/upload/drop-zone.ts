/** What the drop zone of an upload field says: how files come here, which are taken, and that it is full. */

import type { UploadWords } from '../../messages/upload/words.ts'
import { fileSize } from '../../protocol/file-size.ts'
import { type Limits, mostFiles, typesText } from './field-file.ts'
import { ICONS } from './icons.ts'

/** FilePond takes markup; copy is text. */
const asMarkup = (text: string): string =>
  text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)

type Zone = {
  /** `taken` and `other` while files are dragged. */
  readonly state: 'idle' | 'full' | 'taken' | 'other'
  readonly isReplaced: boolean
  readonly locale: string
}

/** As markup. */
export function zoneText(
  words: UploadWords,
  limits: Limits,
  { state, isReplaced, locale }: Zone,
): string {
  const { multiple, maxBytes } = limits
  const several = multiple ? 'many' : 'one'
  const most = mostFiles(limits)
  const types = typesText(limits, words.pictures)
  const line = (icon: string, text: string) => `${icon}<span>${asMarkup(text)}</span>`
  if (state === 'full')
    return line(
      ICONS.full,
      most === 1 ? words.full.one : words.full.many(most.toLocaleString(locale)),
    )
  const bytes = maxBytes === undefined ? '' : fileSize(maxBytes, locale)
  const taken = `<span class="lim">${asMarkup(words.limits(types, bytes))}</span>`
  if (state === 'taken') return line(ICONS.file, words.dragged[several]) + taken
  if (state === 'other') return line(ICONS.remove, words.dragged.other(types)) + taken
  const { drop, choose } = isReplaced ? words.replace : words.idle[several]
  return `${ICONS.upload}<span>${asMarkup(drop)} <span class="link">${asMarkup(choose)}</span></span>${taken}`
}
