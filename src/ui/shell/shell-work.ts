/** The script that every page loads once it is drawn: tooltips, popups that keep inside the window, and signing out. */

import { keepPopupsInside } from '../parts/keep-popups-inside.ts'
import { forgetOnSignOut } from './forget-on-sign-out.ts'

export { IconTips } from '../parts/icon-tips.tsx'
export { RailTooltip } from './rail-tooltip.tsx'

/** Returns the cleanup. */
export function work(): () => void {
  const stops = [keepPopupsInside(), forgetOnSignOut()]
  return () => stops.forEach((stop) => stop())
}
