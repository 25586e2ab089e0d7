/** The script that every page loads once it is drawn: tooltips, and popups that keep inside the window. */

export { keepPopupsInside } from '../parts/keep-popups-inside.ts'
export { IconTips } from '../parts/icon-tips.tsx'
export { RailTooltip } from './rail-tooltip.tsx'
