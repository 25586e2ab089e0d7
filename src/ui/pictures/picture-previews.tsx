/** Shows a picture of a row over the page once its link is followed, by a click or with Enter. */

import { useEffect, useState } from 'react'
import { isPlainClick } from '../../client/navigation/is-ours.ts'
import { laterPart } from '../later-part.tsx'
import { type Pictures, picturesOf, PREVIEWED } from './pictures-of.ts'

const Preview = laterPart(async () => (await import('./picture-preview.tsx')).PicturePreview)

export function PicturePreviews() {
  const [shown, setShown] = useState<Pictures | null>(null)
  useEffect(() => {
    const over = new AbortController()
    const follow = (event: MouseEvent) => {
      const { target } = event
      const link = target instanceof Element ? target.closest(PREVIEWED) : null
      if (!link || !isPlainClick(event)) return
      event.preventDefault()
      setShown(picturesOf(link))
    }
    document.addEventListener('click', follow, { signal: over.signal })
    return () => over.abort()
  }, [])
  return shown && <Preview pictures={shown} onClose={() => setShown(null)} />
}
