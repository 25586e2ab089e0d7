/** Which fields a form does not show, by the row as it will be. */

import type { OpenTable } from '../../catalog.ts'
import type { Values } from '../../source/write-unit.ts'
import { constantOf } from './field.ts'
import { readText } from './read-text.ts'

/** The fields whose condition does not hold for the row. */
export const notShown = ({ definition }: Pick<OpenTable, 'definition'>, row: Values): string[] =>
  Object.entries(definition.form?.shown ?? {}).flatMap(([name, isShown]) =>
    isShown && !isShown(row) ? [name] : [],
  )

export type Shown = { readonly values: Values; readonly notShown: readonly string[] }

/**
 * The values without those of fields that are not shown, and all such fields. One that is left out may
 * show or hide others, so they are asked one after another, in the order of the declaration.
 */
export function onlyShown(
  open: Pick<OpenTable, 'definition'>,
  before: Values,
  values: Values,
): Shown {
  const leftOut = new Set<string>()
  for (;;) {
    const kept = Object.fromEntries(Object.entries(values).filter(([name]) => !leftOut.has(name)))
    const names = notShown(open, { ...before, ...kept })
    const next = names.find((name) => Object.hasOwn(kept, name))
    if (next === undefined) return { values: kept, notShown: [...new Set([...leftOut, ...names])] }
    leftOut.add(next)
  }
}

/** What a new row holds where nothing is given, as far as that is known before it is written. */
export const emptyRow = ({ access }: Pick<OpenTable, 'access'>): Values =>
  Object.fromEntries(
    access.table.columns.flatMap((column) => {
      const { name, hasDefault, identity, generated } = column
      const constant = constantOf(column.default)
      if (!constant) return hasDefault || identity || generated ? [] : [[name, null] as const]
      const read = readText(column, constant.default, 'en')
      return 'value' in read ? [[name, read.value] as const] : []
    }),
  )
