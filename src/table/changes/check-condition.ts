/** What a check of the database asks for, where it has refused a change and that may be told. */

import type { Access } from '../source/access.ts'
import type { Refused } from '../source/write-unit.ts'

/**
 * The condition as the engine writes it; `undefined` where it is not known for sure, or where it may be about
 * a column that the actor may not read.
 */
export function conditionOf(
  { rule, columns, condition }: Refused,
  access: Access,
): string | undefined {
  const { columns: all, checks = [] } = access.table
  if (rule !== 'check' || !all.every(({ name }) => access.canRead(name))) return undefined
  const isIts = (check: string) =>
    all.every(({ name }) => mentions(check, name) === columns.includes(name))
  const [found, ...others] = condition === undefined ? checks.filter(isIts) : [condition]
  return found === undefined || others.length > 0 ? undefined : plain(found)
}

/** As a whole word: `a.name` is not in `a.name_2`. */
export function mentions(text: string, name: string): boolean {
  const parts = text.split(name)
  return parts.slice(1).some((rest, i) => !/^\w/.test(rest) && !/\w$/.test(parts[i] ?? ''))
}

/** Without the words and signs that only the database needs. */
const plain = (check: string): string =>
  check
    .replace(/^check\s*\(([^]*)\)$/i, '$1')
    .replace(/^\(([^()]*)\)$/, '$1')
    .replaceAll(/[`"]/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
