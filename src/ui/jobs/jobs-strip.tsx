/** The jobs of a list, in the place that its page holds free for them. */

import { createPortal } from 'react-dom'
import { JOBS_ID } from '../list/menu-ids.ts'
import { useDrawn } from '../list/use-drawn.ts'
import { JobsRegion } from './jobs-region.tsx'

export function JobsStrip() {
  const place = useDrawn(JOBS_ID)
  return place && createPortal(<JobsRegion isStrip />, place)
}
