/** Takes hidden tables and columns out of every grant, whatever the policy says. */

import type { Grant, Policy } from '../source/access.ts'
import { nothing } from '../source/predicate.ts'
import type { TableDefinition } from './table-definition.ts'

/**
 * The policy without hidden tables and columns; it returns one grant for each grant of the policy.
 */
export function withoutHidden(
  policy: Policy,
  definitions: ReadonlyMap<string, TableDefinition>,
): Policy {
  const narrowings = new Map(
    [...definitions].map(([name, definition]) => [name, narrowing(definition)]),
  )
  return {
    version: policy.version,
    grant(actor, table) {
      const grant = policy.grant(actor, table)
      return narrowings.get(table.name)?.(grant) ?? grant
    },
  }
}

const NO_GRANT: Grant = { actions: [], rows: nothing, readable: [], writable: [] }

function narrowing({ hidden, columns }: TableDefinition): ((grant: Grant) => Grant) | undefined {
  if (hidden) return () => NO_GRANT
  const names = new Set([...columns.values()].flatMap(({ hidden, name }) => (hidden ? name : [])))
  if (names.size === 0) return undefined
  const isShown = (name: string) => !names.has(name)
  const cache = new WeakMap<Grant, Grant>()
  return (grant) => {
    let narrowed = cache.get(grant)
    if (!narrowed) {
      const { readable, writable } = grant
      narrowed = {
        ...grant,
        readable: readable.filter(isShown),
        writable: writable.filter(isShown),
      }
      cache.set(grant, narrowed)
    }
    return narrowed
  }
}
