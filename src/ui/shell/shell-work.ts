/** The script that every page loads once it is drawn: tooltips, the menu of the rail, popups that keep inside the window, and signing out. */

import { keepPopupsInside } from '../parts/keep-popups-inside.ts'
import { forgetOnSignOut } from './forget-on-sign-out.ts'

export { RailParts } from './rail-parts.tsx'
export { ShellParts } from './shell-parts.tsx'

/** Returns the cleanup. */
export function work(): () => void {
  const stops = [keepPopupsInside(), forgetOnSignOut()]
  return () => stops.forEach((stop) => stop())
}
