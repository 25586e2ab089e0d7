/** Reads a property of something unknown, such as what was thrown. */

/** `undefined` for what is no object, and for one without this property. */
export const propertyOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
