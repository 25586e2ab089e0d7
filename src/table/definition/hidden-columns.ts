/** Takes what definitions hide, and changes that they forbid, out of every grant of the policy. */

import type { Grant, Policy, RowAction } from '../source/access.ts'
import { nothing } from '../source/predicate.ts'
import { writesTaken } from '../source/schema.ts'
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

/** The grants of the policy, by those that were made of them. */
const given = new WeakMap<Grant, Grant>()

/** The grant as the policy gave it. */
export const asGiven = (grant: Grant): Grant => given.get(grant) ?? grant

const NO_GRANT: Grant = { actions: [], rows: nothing, readable: [], writable: [] }

/** A secret may be written into any text later; the key is what addresses name. */
const judgedColumns = ({ table, columns }: TableDefinition): string[] =>
  table.columns.flatMap(({ name, type, allowed }) =>
    ['text', 'binary'].includes(type) &&
    !allowed &&
    !table.key.includes(name) &&
    !columns.get(name)?.isDeclared
      ? name
      : [],
  )

function narrowing(definition: TableDefinition): ((grant: Grant) => Grant) | undefined {
  if (definition.hidden) return () => NO_GRANT
  const columns = [...definition.columns.values()]
  const masks = columns.flatMap(({ name: column, maskedBy: by }) =>
    by === undefined ? [] : { column, by },
  )
  const kept = new Set([
    ...columns.flatMap(({ hidden, name }) => (hidden ? name : [])),
    ...masks.map(({ column }) => column),
  ])
  const secretKeys = definition.table.key.filter((name) => kept.has(name))
  const judged = judgedColumns(definition).filter((name) => !kept.has(name))
  const writes: readonly RowAction[] = definition.write ? writesTaken(definition.table) : []
  const isTable = definition.write && definition.table.kind === 'table'
  if (kept.size === 0 && judged.length === 0 && isTable) return undefined
  const isShown = (name: string) => !kept.has(name)
  const cache = new WeakMap<Grant, Grant>()
  return (grant) => {
    let narrowed = cache.get(grant)
    if (!narrowed) {
      const { actions, readable, writable, creatable } = grant
      const isWritten = isTable || writes.length > 0
      const masked = masks.filter(({ column }) => readable.includes(column))
      const sealed = secretKeys.filter((name) => readable.includes(name))
      narrowed = {
        ...grant,
        ...(!isTable && {
          actions: actions.filter((one) => one === 'read' || writes.includes(one)),
        }),
        readable: readable.filter(isShown),
        writable: isWritten ? writable.filter(isShown) : [],
        ...(creatable && { creatable: isWritten ? creatable.filter(isShown) : [] }),
        ...(masked.length > 0 && { masked }),
        ...(sealed.length > 0 && { sealed }),
        ...(judged.length > 0 && { judged }),
      }
      cache.set(grant, narrowed)
      given.set(narrowed, grant)
    }
    return narrowed
  }
}
