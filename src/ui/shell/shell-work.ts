/** The shell's tooltips, loaded after the page. */

export { IconTips } from '../parts/icon-tips.tsx'
export { RailTooltip } from './rail-tooltip.tsx'
