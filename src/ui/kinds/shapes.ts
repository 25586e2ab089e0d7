/** What a component is given that draws the value of a record, by the shape of the value. */

import type { FieldValue, FieldView } from '../../protocol/record-view.ts'

/** Values that are there; the ways to be absent are drawn alike for all kinds. */
type Present = Exclude<FieldValue, { is: 'null' | 'empty' | 'no-access' }>

export type Shape = Present['is']

export type ShapeProps<Is extends Shape = Shape> = {
  readonly value: Extract<Present, { is: Is }>
  readonly field: FieldView
}
