/** A text field bound to a property of a component. */

import type { LiveComponent, SetOptions } from '../client/component.ts'
import type { JsonObject } from '../protocol/json.ts'
import { getPath } from '../protocol/path.ts'

/** Props of a text field: `<input {...field} />`. */
export type Field = {
  /** What is typed, which may be ahead of the server; empty where the property is no text. */
  readonly value: string
  readonly onChange: (event: { readonly target: { readonly value: string } }) => void
  /** From then until `onBlur`, no answer changes what the field shows. */
  readonly onFocus: () => void
  readonly onBlur: () => void
}

/** The field of the property at `path` of `data`. */
export function fieldOf(
  component: Pick<LiveComponent, 'set' | 'hold' | 'letGo'>,
  data: JsonObject,
  path: string,
  options?: SetOptions,
): Field {
  const property = getPath(data, path.split('.'))
  const value = typeof property === 'string' ? property : ''
  return {
    value,
    onChange: ({ target }) => component.set(path, target.value, options),
    onFocus: () => component.hold(path, value),
    onBlur: () => component.letGo(path),
  }
}
