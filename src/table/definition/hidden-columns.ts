/** What definitions hide is taken out of every grant, whatever the policy says: nothing reaches it. */

import type { Grant, Policy } from '../source/access.ts'
import { nothing } from '../source/predicate.ts'
import type { TableDefinition } from './table-definition.ts'

/** The policy without what is hidden. Its grants are as long-lived as those of the policy itself. */
export function withoutHidden(
  policy: Policy,
  definitions: ReadonlyMap<string, TableDefinition>,
): Policy {
  const narrowed = new Map(
    [...definitions].map(([name, definition]) => [name, narrowing(definition)]),
  )
  return {
    version: policy.version,
    grant(actor, table) {
      const grant = policy.grant(actor, table)
      return narrowed.get(table.name)?.(grant) ?? grant
    },
  }
}

const NO_GRANT: Grant = { actions: [], rows: nothing, readable: [], writable: [] }

function narrowing({ hidden, columns }: TableDefinition): ((grant: Grant) => Grant) | undefined {
  if (hidden) return () => NO_GRANT
  const names = new Set([...columns.values()].flatMap(({ hidden, name }) => (hidden ? name : [])))
  if (names.size === 0) return undefined
  const isShown = (name: string) => !names.has(name)
  const known = new WeakMap<Grant, Grant>()
  return (grant) => {
    let rest = known.get(grant)
    if (!rest) {
      const { readable, writable } = grant
      rest = { ...grant, readable: readable.filter(isShown), writable: writable.filter(isShown) }
      known.set(grant, rest)
    }
    return rest
  }
}
