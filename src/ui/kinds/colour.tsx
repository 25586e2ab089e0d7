/** Colours, beside their text. */

import { Swatch } from '../parts/swatch.tsx'
import type { ClientKind } from './client-kind.ts'
import type { ShapeProps } from './shapes.ts'

/** Whether the text is a colour in hexadecimal digits, such as `#0b6172`. */
const isColour = (text: string): boolean => /^#(?:[\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})$/i.test(text)

export const colour: ClientKind = {
  cell: ({ text }) => <Swatch colour={text} />,
  fits: isColour,
  layout: { width: 'whole', beside: 25, speaks: true },
}

export const ColourValue = ({ value: { text } }: ShapeProps<'colour'>) =>
  isColour(text) ? <Swatch colour={text} /> : text
