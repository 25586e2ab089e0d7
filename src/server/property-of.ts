/** Reads a property of something unknown, such as what was thrown. */

/** Returns `undefined` unless the value is an object with this property. */
export const propertyOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
