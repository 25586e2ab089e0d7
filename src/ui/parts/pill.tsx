/** A status as a tinted plate with a mark of its own. */

import type { Tone } from '../../protocol/table-view.ts'
import { StatusMark } from './icon.tsx'

export const Pill = ({ text, tone }: { text: string; tone: Tone }) => (
  <span className={`pill ${tone}`}>
    <StatusMark tone={tone} />
    <span className="name">{text}</span>
  </span>
)
