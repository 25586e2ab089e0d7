/** One file in FilePond's list: its picture, name, state and handle, around FilePond's own buttons. */

import type { UploadWords } from '../../messages/upload/words.ts'
import { fileSize } from '../../protocol/file-size.ts'
import { factsText, type FieldFile } from './field-file.ts'
import { ICONS } from './icons.ts'
import { drawThumbnail } from './thumbnail.ts'

export type RowState =
  | { readonly is: 'waiting' }
  | { readonly is: 'done' }
  /** `share`: how much has left, 0 to 1. */
  | { readonly is: 'sending'; readonly share: number }
  /** `retry`: what the button says that sends it again; `null` for none. */
  | { readonly is: 'failed'; readonly why: string; readonly retry: string | null }

export type FileRow = {
  readonly element: HTMLElement
  readonly grip: HTMLButtonElement
  show(state: RowState): void
  /** Says what is known of the file now that it is there. */
  tell(facts: Pick<FieldFile, 'size' | 'note' | 'isKept'>): void
}

export type RowOptions = {
  readonly words: UploadWords
  readonly locale: string
  /** The time, ms. */
  now(): number
}

/** Adds what FilePond does not draw to the element that it has made for a file. */
export function drawRow(
  element: HTMLElement,
  file: Omit<FieldFile, 'path' | 'type'>,
  bytes: Blob | undefined,
  { words, locale, now }: RowOptions,
): FileRow {
  const { name, size = 0 } = file
  const box = element.querySelector('.filepond--file') ?? element
  box.classList.add('upload-row')
  const grip = make('button', 'upload-grip btn icon')
  grip.type = 'button'
  grip.innerHTML = ICONS.grip
  grip.ariaLabel = words.move(name)
  const picture = make('span', 'pic')
  picture.innerHTML = ICONS.file
  void drawThumbnail(picture, file.picture, bytes)
  const text = make('span', 'txt')
  const title = file.href === undefined ? make('span', 'fn') : linkTo(file.href)
  title.textContent = name
  const line = make('span', 'st')
  const progress = make('progress', 'upload-progress')
  progress.ariaLabel = words.progress(name)
  progress.max = 100
  const say = make('span', 'say')
  line.append(say)
  text.append(title, line)
  box.prepend(grip, picture, text)
  // FilePond names its buttons by what they do alone.
  for (const button of box.querySelectorAll('.filepond--file-action-button')) {
    button.classList.add('btn')
    nameButton(button, words, button.querySelector('span')?.textContent ?? '', name)
  }
  const again = box.querySelector('.filepond--action-retry-item-processing')

  let began: number | undefined
  let shown: RowState | undefined
  let facts: Pick<FieldFile, 'size' | 'note'> = file
  const all = fileSize(size, locale)
  const sentence = (state: RowState): string => {
    if (state.is === 'done') return factsText(facts, locale)
    if (state.is === 'waiting') return [words.waiting, all].join(', ')
    if (state.is === 'failed') return state.why
    began ??= now()
    const left = timeLeft(now() - began, state.share, locale)
    return words.sent(fileSize(size * state.share, locale), all, left)
  }
  return {
    ...{ element, grip },
    tell(now) {
      facts = now
      element.dataset['kept'] = String(now.isKept ?? false)
      if (shown) say.textContent = sentence(shown)
    },
    show(state) {
      shown = state
      element.dataset['upload'] = state.is
      const retry = state.is === 'failed' ? state.retry : null
      element.dataset['retry'] = String(retry !== null)
      if (retry !== null) nameButton(again, words, retry, name)
      if (state.is !== 'sending') began = undefined
      if (state.is === 'sending') {
        progress.value = Math.round(state.share * 100)
        if (!progress.isConnected) line.prepend(progress)
      } else progress.remove()
      if (state.is === 'failed') picture.innerHTML = ICONS.warning
      say.textContent = sentence(state)
    },
  }
}

/** Shown once it can be told, from the pace so far. */
function timeLeft(passed: number, share: number, locale: string): string {
  if (passed < 1000 || share < 0.02 || share >= 1) return ''
  const seconds = Math.ceil(((passed / share) * (1 - share)) / 1000)
  const unit = seconds < 90 ? 'second' : 'minute'
  return new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'narrow' }).format(
    unit === 'second' ? seconds : Math.ceil(seconds / 60),
  )
}

function nameButton(
  button: Element | null,
  words: UploadWords,
  action: string,
  name: string,
): void {
  const label = button?.querySelector('span')
  if (label) label.textContent = action
  button?.setAttribute('aria-label', words.of(action, name))
}

function make<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  className: string,
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag)
  element.className = className
  return element
}

function linkTo(href: string): HTMLAnchorElement {
  const link = make('a', 'fn')
  link.href = href
  link.target = '_blank'
  link.rel = 'noreferrer'
  return link
}
