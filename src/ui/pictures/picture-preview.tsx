/** A picture of a row in a dialog: the arrow keys lead to the row's other pictures. */

import { useEffect, useEffectEvent, useState } from 'react'
import { uploadWordsFor } from '../../messages/upload/words.ts'
import { pictureHref } from '../../protocol/record-view.ts'
import { usePage } from '../../react/use-component.ts'
import { Icon } from '../parts/icon.tsx'
import { Modal } from '../parts/modal.tsx'
import { Shown } from '../parts/plain-text.tsx'
import { useMessages } from '../parts/use-messages.ts'
import type { Pictures } from './pictures-of.ts'

type Props = { pictures: Pictures; onClose(): void }

export function PicturePreview({ pictures: { all, at: first }, onClose }: Props) {
  const { shell } = useMessages()
  const { language, locale } = usePage()
  const { preview } = uploadWordsFor(language)
  const [at, setAt] = useState(first)
  const picture = all[at]
  const number = (value: number) => value.toLocaleString(locale)
  const move = (by: number) => setAt((at + by + all.length) % all.length)
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const isMirrored = getComputedStyle(document.body).direction === 'rtl'
    const by = STEPS[event.key]
    if (by === undefined) return
    event.preventDefault()
    move(isMirrored ? -by : by)
  })
  useEffect(() => {
    const over = new AbortController()
    addEventListener('keydown', onKey, { signal: over.signal })
    return () => over.abort()
  }, [])
  if (!picture) return null
  const { href, name } = picture
  return (
    <Modal title={name} className="dialog preview" onClose={onClose}>
      <div className="body">
        {/* Another one, so that the last picture does not stand under the next name. */}
        <img key={href} src={pictureHref(href, 'large')} alt={name} />
      </div>
      <div className="acts">
        <span role="status" className={all.length > 1 ? 'hint' : 'sr'}>
          <span className="sr">
            <Shown text={name} />,{' '}
          </span>
          {preview.place(number(at + 1), number(all.length))}
        </span>
        {all.length > 1 && (
          <>
            <button
              type="button"
              className="btn icon"
              aria-label={preview.previous}
              onClick={() => move(-1)}
            >
              <Icon name="previous" flip />
            </button>
            <button
              type="button"
              className="btn icon"
              aria-label={preview.next}
              onClick={() => move(1)}
            >
              <Icon name="next" flip />
            </button>
          </>
        )}
        <a className="btn" href={href} target="_blank" rel="noreferrer">
          {preview.original}
        </a>
        <button type="button" className="btn main" data-first="" onClick={onClose}>
          {shell.close}
        </button>
      </div>
    </Modal>
  )
}

const STEPS: { readonly [key: string]: -1 | 1 } = { ArrowLeft: -1, ArrowRight: 1 }
