/** Colours, beside their text. */

import type { ClientKind } from './client-kind.ts'
import type { ShapeProps } from './shapes.ts'

/** Whether the text is a colour in hexadecimal digits, such as `#0b6172`. */
const isColour = (text: string): boolean => /^#(?:[\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})$/i.test(text)

/** A colour sample and its text. The colour is an SVG attribute, because only overlays may have style attributes. */
const Swatch = ({ colour }: { colour: string }) => (
  <>
    <svg className="swatch" viewBox="0 0 10 10" aria-hidden="true">
      <rect width="10" height="10" fill={colour} />
    </svg>
    {colour}
  </>
)

export const colour: ClientKind = {
  cell: ({ text }) => <Swatch colour={text} />,
  fits: isColour,
  layout: { width: 'whole', beside: 25, speaks: true },
}

export const ColourValue = ({ value: { text } }: ShapeProps<'colour'>) =>
  isColour(text) ? <Swatch colour={text} /> : text
