/** Filters rows by rows of another table that refer to them: some, none, or every one fulfils a condition. */

import { messagesFor } from '../../messages/messages.ts'
import type { RelatedRows } from '../../protocol/filters.ts'
import type { OpenTable } from '../catalog.ts'
import { foreignKeysOf } from '../definition/table-definition.ts'
import { everything, type Predicate } from '../source/predicate.ts'
import type { ForeignKey } from '../source/schema.ts'
import { keyOfColumn } from './address.ts'
import { type Conditions, parseGroup } from './builder.ts'
import { badFilter, type Filter, type Form, isUnset } from './filter.ts'

/** A foreign key that points here, and the table that has it. */
export type Referring = { readonly other: OpenTable; readonly foreignKey: ForeignKey }

/** The foreign keys that point to a table, as far as the actor may read the columns on both sides. */
export const referringTo = ({ definition: { table }, access, others }: OpenTable): Referring[] =>
  others.referringTo(table.name).flatMap((other) =>
    foreignKeysOf(other.definition).flatMap((foreignKey) => {
      const { columns, references } = foreignKey
      const isReadable =
        foreignKey.table === table.name &&
        columns.length === references.length &&
        columns.every((column) => other.access.canRead(column)) &&
        references.every((column) => access.canRead(column))
      return isReadable ? [{ other, foreignKey }] : []
    }),
  )

/** The key of the filter by a foreign key, such as `~strikes~species_id`. */
export const keyOfReferring = ({ other, foreignKey }: Referring): string =>
  ['', other.definition.table.name, ...foreignKey.columns].map(keyOfColumn).join('~')

/** The filter by the rows that refer here; `conditions` are those of the other table. */
export function relatedFilter(
  referring: Referring,
  isOnlyOne: boolean,
  conditions: Conditions,
): Filter {
  const { other, foreignKey } = referring
  const { definition } = other
  const key = keyOfReferring(referring)
  const { name } = definition.table
  const by = foreignKey.columns.map((column) => definition.columns.get(column)?.label ?? column)
  const label = isOnlyOne ? definition.label : `${definition.label} (${by.join(', ')})`
  return {
    key,
    label,
    forms: [relatedRows(key, referring, conditions)],
    control: () => ({ type: 'related', table: name, label: definition.label }),
  }
}

const HOW_MANY = ['some', 'none', 'every'] as const

const relatedRows = (
  key: string,
  { other, foreignKey: { columns, references } }: Referring,
  conditions: Conditions,
): Form => ({
  parts: ['rows', 'where'],
  parse(given) {
    const rows = HOW_MANY.find((one) => one === given['rows'])
    if (isUnset(given['rows']) && isUnset(given['where'])) return undefined
    if (rows === undefined) throw badFilter(key, ({ filter }) => filter.badForm)
    const where = isUnset(given['where']) ? undefined : parseGroup(key, given['where'], conditions)
    // Every one fulfils nothing in particular: that asks for nothing.
    if (rows === 'every' && !where) return undefined
    const { name: table } = other.definition.table
    const some = (asked: Predicate): Predicate => ({
      op: 'referred',
      table,
      columns,
      references,
      where: asked,
    })
    const value: RelatedRows = { rows, ...(where && { where: where.value }) }
    return {
      value,
      predicate(clock) {
        const asked = where?.predicate(clock) ?? everything
        if (rows === 'some') return some(asked)
        return { op: 'not', of: some(rows === 'none' ? asked : { op: 'not', of: asked }) }
      },
      async words(wording) {
        const { chip } = messagesFor(wording.reader.language)
        return chip.related[rows](where && (await where.words(wording)))
      },
    }
  },
})
