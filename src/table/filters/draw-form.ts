/** Names the values in a filter form that works without script, and finds the related rows it asks for. */

import {
  type FilterComponents,
  type FilterEntries,
  type FilterForm,
  type FilterOffer,
  BUILDER,
  type FormChoices,
  type FormGroup,
  type FoundChoices,
} from '../../protocol/filters.ts'
import type { OpenTable } from '../catalog.ts'
import { orOnTimeout } from '../references.ts'
import { type Asking, findChoices, findValues, nameValues } from './ask.ts'
import { drawOffers } from './draw-offers.ts'
import type { Filter } from './filter.ts'
import { filtersOf, type Scope, scopeOf } from './offered.ts'

export async function drawForm(
  entries: FilterEntries,
  values: FilterComponents,
  asking: Asking,
): Promise<FilterForm> {
  const { fields, scopes } = fieldsOf(entries, values, asking.open)
  const choices = await Promise.all(
    fields.map(async (field): Promise<[string, FormChoices][]> => {
      const drawn = await choicesOf(field, entries.finds[field.path], asking)
      return drawn ? [[field.path, drawn]] : []
    }),
  )
  const offers = scopes.map(([path, { filters }]): [string, FilterOffer[]] => [
    path,
    drawOffers(filters, asking.reader),
  ])
  return {
    ...entries,
    choices: Object.fromEntries(choices.flat()),
    offers: Object.fromEntries(offers),
  }
}

/** A filter that the form shows: of the list, or of a condition. */
type Field = {
  readonly path: string
  readonly filter: Filter
  readonly value: FilterComponents[string] | null | undefined
  readonly open: OpenTable
}

/** All filters of the form, and what the conditions on related rows are about. */
function fieldsOf({ groups }: FilterEntries, values: FilterComponents, open: OpenTable) {
  const fields: Field[] = []
  const scopes: [path: string, scope: Scope][] = []
  for (const [key, filter] of filtersOf(open)) {
    if (key === BUILDER) visitGroup(BUILDER, groups[BUILDER], scopeOf(key, open))
    else visit({ path: key, filter, value: values[key], open })
  }
  return { fields, scopes }

  function visit(field: Field): void {
    fields.push(field)
    const path = `${field.path}.where`
    const scope = groups[path] && scopeOf(field.filter.key, field.open)
    if (!scope) return
    scopes.push([path, scope])
    visitGroup(path, groups[path], scope)
  }

  function visitGroup(path: string, group: FormGroup | undefined, scope: Scope | undefined): void {
    for (const [at, one] of group?.of.entries() ?? []) {
      const own = `${path}.${at + 1}`
      if ('of' in one) visitGroup(own, one, scope)
      else {
        const filter = scope?.filters.get(one.filter)
        if (filter && scope) visit({ path: own, filter, value: one.value, open: scope.open })
      }
    }
  }
}

/** Of filters whose values no page lists. */
async function choicesOf(
  { filter, value, open }: Field,
  find: string | undefined,
  asking: Asking,
): Promise<FormChoices | undefined> {
  const control = filter.control(asking.reader)
  const isRelation = control.type === 'relation'
  if (!isRelation && (control.type !== 'choice' || control.choices)) return undefined
  const own = { ...asking, open }
  const [chosen, found] = await Promise.all([
    nameValues(textsIn(value), filter, own),
    find === undefined
      ? undefined
      : orNull((isRelation ? findChoices : findValues)(filter, find, own)),
  ])
  return { chosen, ...(found !== undefined && { found }) }
}

/** A page is not refused because a search took too long. */
const orNull = (found: Promise<FoundChoices>): Promise<FoundChoices | null> =>
  found.catch(orOnTimeout(null))

/** The values of “one of” and “none of”. */
const textsIn = (value: Field['value']): readonly (string | null)[] =>
  value && 'in' in value ? value.in : value && 'notIn' in value ? value.notIn : []
