/** What the rail draws once it is live: its tooltip, and the menu of its entries. */

import type { RefObject } from 'react'
import { RailMenu } from './rail-menu.tsx'
import { RailTooltip } from './rail-tooltip.tsx'

export type RailPartProps = { rail: RefObject<HTMLElement | null>; shell: string }

export const RailParts = (props: RailPartProps) => (
  <>
    <RailMenu {...props} />
    <RailTooltip rail={props.rail} />
  </>
)
