/** What the shell draws once it is live: tooltips of icons, and pictures over the page. */

import { IconTips } from '../parts/icon-tips.tsx'
import { PicturePreviews } from '../pictures/picture-previews.tsx'

export const ShellParts = () => (
  <>
    <IconTips />
    <PicturePreviews />
  </>
)
