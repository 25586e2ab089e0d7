/** Conditions joined by “and” or “or”, in groups: the builder, and what related rows have to fulfil. */

import { messagesFor } from '../../messages/messages.ts'
import type { FilterCondition, FilterGroup, FilterValue } from '../../protocol/filters.ts'
import type { Predicate } from '../source/predicate.ts'
import { badFilter, type Condition, type Filter, type Form } from './filter.ts'

/** Groups within groups, and conditions in all of them. */
export const BUILDER_DEPTH_MAX = 4
export const BUILDER_CONDITIONS_MAX = 50

/** Conditions that a chip names; of the others it tells how many there are. */
const NAMED = 3

/** Finds a filter by its key, and makes a condition of its value. */
export type Conditions = (
  key: string,
  value: unknown,
) => { readonly filter: Filter; readonly condition: Condition<FilterValue> | undefined }

/** The form of a whole group; `key` is the filter that it belongs to. */
export const group = (key: string, conditions: Conditions): Form => ({
  parts: ['join', 'of'],
  parse: (given) => parseGroup(key, given, conditions),
})

type Node = {
  readonly value: FilterGroup | FilterCondition
  readonly label: string | undefined
  readonly condition: Condition
}

/** The condition that a group makes; `undefined` where nothing in it asks for anything. */
export function parseGroup(
  key: string,
  given: unknown,
  conditions: Conditions,
): Condition<FilterGroup> | undefined {
  let count = 0
  return groupOf(given, 1)

  function groupOf(from: unknown, depth: number): Condition<FilterGroup> | undefined {
    const { join, of, ...others } = objectOf(from)
    if ((join !== 'and' && join !== 'or') || !Array.isArray(of) || Object.keys(others).length > 0)
      throw badFilter(key, ({ filter }) => filter.badForm)
    if (depth > BUILDER_DEPTH_MAX)
      throw badFilter(key, ({ filter }, number) => filter.deepGroups(number(BUILDER_DEPTH_MAX)))
    const list: readonly unknown[] = of
    const nodes = list.flatMap((one) => nodeOf(one, depth) ?? [])
    return nodes.length === 0 ? undefined : joined(join, nodes)
  }

  function nodeOf(from: unknown, depth: number): Node | undefined {
    if (++count > BUILDER_CONDITIONS_MAX)
      throw badFilter(key, ({ filter }, number) =>
        filter.manyConditions(number(BUILDER_CONDITIONS_MAX)),
      )
    const given = objectOf(from)
    if ('join' in given) {
      const condition = groupOf(given, depth + 1)
      return condition && { value: condition.value, label: undefined, condition }
    }
    const { filter: name, value, ...others } = given
    if (typeof name !== 'string' || Object.keys(others).length > 0)
      throw badFilter(key, ({ filter }) => filter.badForm)
    const { filter, condition } = conditions(name, value)
    return (
      condition && {
        value: { filter: name, value: condition.value },
        label: filter.label,
        condition,
      }
    )
  }

  function objectOf(from: unknown): { readonly [name: string]: unknown } {
    if (typeof from !== 'object' || from === null || Array.isArray(from))
      throw badFilter(key, ({ filter }) => filter.badForm)
    return { ...from }
  }
}

const joined = (join: 'and' | 'or', nodes: readonly Node[]): Condition<FilterGroup> => ({
  value: { join, of: nodes.map(({ value }) => value) },
  predicate(clock): Predicate {
    const all = nodes.map(({ condition }) => condition.predicate(clock))
    const [only] = all
    return all.length === 1 && only ? only : { op: join, all }
  },
  async words(wording) {
    const { chip } = messagesFor(wording.reader.language)
    const named = nodes.slice(0, NAMED).map(async ({ label, condition }) => {
      const words = await condition.words(wording)
      return label === undefined ? chip.grouped(words) : chip.named(label, words)
    })
    return chip.joined[join](await Promise.all(named), nodes.length - named.length)
  },
})
