/** Props of the components that draw a record's values, by the shape of the value. */

import type { FieldValue, FieldView } from '../../protocol/record-view.ts'

/** Values that are present; absent ones look the same for all kinds. */
type Present = Exclude<FieldValue, { is: 'null' | 'empty' | 'no-access' }>

export type Shape = Present['is']

export type ShapeProps<Is extends Shape = Shape> = {
  readonly value: Extract<Present, { is: Is }>
  readonly field: FieldView
}
