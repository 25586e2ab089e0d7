/** Says a condition on rows in words, for administrators. */

import { messagesFor } from '../../messages/messages.ts'
import type { Reader } from '../../server/http/locale.ts'
import type { TableDefinition } from '../../table/definition/table-definition.ts'
import { formatterFor } from '../../table/format.ts'
import type { Predicate } from '../../table/source/predicate.ts'
import type { Value } from '../../table/source/value.ts'

export type Wording = {
  /** The tables by name, whose labels and columns' labels are said. */
  readonly definitions: ReadonlyMap<string, TableDefinition>
  readonly reader: Reader
}

/** Values of a list that are said; of longer ones, how many more there are. */
const VALUES_MAX = 8

/** Such as `Region is “south” and Status is empty`. */
export function conditionText(condition: Predicate, table: string, wording: Wording): string {
  const { conditions } = messagesFor(wording.reader.language).rolesPage
  const { number } = formatterFor(wording.reader)
  const column = (name: string) => wording.definitions.get(table)?.columns.get(name)?.label ?? name
  const of = (name: string) => wording.definitions.get(name)?.label ?? name
  const said = (value: Value) => valueText(value, wording.reader)
  switch (condition.op) {
    case 'and':
    case 'or': {
      const parts = condition.all.map((part) => conditionText(part, table, wording))
      if (parts.length === 0) return conditions[condition.op === 'and' ? 'all' : 'none']
      return parts.length === 1 ? parts.join() : conditions[condition.op](parts)
    }
    case 'not':
      return conditions.not(conditionText(condition.of, table, wording))
    case 'null':
      return conditions.empty(column(condition.column))
    case 'eq':
      return condition.value === null
        ? conditions.empty(column(condition.column))
        : conditions.eq(column(condition.column), said(condition.value))
    case 'in': {
      const { values } = condition
      if (values.length === 0) return conditions.none
      const more = values.length - VALUES_MAX
      const some = values.slice(0, VALUES_MAX).map(said)
      return conditions.in(column(condition.column), some, more > 0 ? number(more) : null)
    }
    case 'contains':
    case 'starts':
      return conditions[condition.op](column(condition.column), condition.text)
    case 'related':
      return conditions.related(
        column(condition.column),
        conditionText(condition.where, condition.table, wording),
      )
    case 'referred':
      return conditions.referred(
        of(condition.table),
        conditionText(condition.where, condition.table, wording),
      )
    default:
      return conditions[condition.op](column(condition.column), said(condition.value))
  }
}

/** As it is stored: no kind of column gives it another look here. */
function valueText(value: Value, reader: Reader): string {
  const { conditions } = messagesFor(reader.language).rolesPage
  if (value instanceof Uint8Array) return conditions.bytes
  return typeof value === 'string' ? conditions.text(value) : String(value)
}
