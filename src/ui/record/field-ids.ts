/** Ids of the controls of a form's fields, by which its summary of problems leads to them. */

import type { LinesView } from '../../protocol/form-sections.ts'

/** `within`: the column of the component's form whose related table the form is of. */
export const fieldId = (component: string, within: string | undefined, column: string): string =>
  [component, within, column].map((part) => encodeURIComponent(part ?? '')).join('.')

export const lineFieldId = ({ name }: Pick<LinesView, 'name'>, line: string, column: string) =>
  `${name}-${line}-${column}`.replaceAll(/\s/g, '-')
