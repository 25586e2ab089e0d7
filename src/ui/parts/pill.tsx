/** A status as a tinted pill with its mark. */

import type { Tone } from '../../protocol/table-view.ts'
import { StatusMark } from './icon.tsx'
import { Signed } from './plain-text.tsx'

export const Pill = ({ text, tone }: { text: string; tone: Tone }) => (
  <span className={`pill ${tone}`}>
    <StatusMark tone={tone} />
    <span className="name">
      <Signed text={text} />
    </span>
  </span>
)
