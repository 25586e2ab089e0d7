/** The schema of what is kept by the names of columns, whatever these are. */

import * as v from 'valibot'

const isObject = (input: unknown): input is object =>
  typeof input === 'object' && input !== null && !Array.isArray(input)

/** As `v.record`, which leaves out `constructor`, `prototype` and `__proto__`: a column may have such a name. */
export const byName = <Value extends v.GenericSchema>(
  value: Value,
  name: v.GenericSchema<string> = v.string(),
) =>
  v.pipe(
    v.custom<{ readonly [name: string]: v.InferInput<Value> }>(isObject),
    v.transform((input) => new Map(Object.entries(input))),
    v.map(name, value),
    v.transform((entries) => Object.fromEntries(entries)),
  )
