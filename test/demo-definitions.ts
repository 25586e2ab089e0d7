/** How tables are shown in tests of what people do, whatever would be inferred for them. */

import type { Definitions, TableOptions } from '../src/table/definition/define-table.ts'
import { namesPosition } from '../src/table/definition/column-facts.ts'
import { wordsOf } from '../src/table/definition/humanize.ts'
import { inferTables } from '../src/table/definition/infer.ts'
import type { TableDefinition } from '../src/table/definition/table-definition.ts'
import type { RowSource } from '../src/table/source/row-source.ts'

const DEMO: { readonly [table: string]: TableOptions } = {
  aircraft_types: {
    labelColumn: 'name',
    sort: 'id',
    shown: ['name', 'make', 'category', 'designation'],
  },
  airport_operators: {
    labelColumn: null,
    sort: ['airport_id', 'operator_id'],
    shown: ['airport_id', 'operator_id', 'reports', 'first_strike_id', 'last_strike_id'],
  },
  airports: {
    labelColumn: 'name',
    sort: 'id',
    shown: ['name', 'code', 'city', 'state', 'country', 'latitude', 'longitude'],
  },
  comments: {
    labelColumn: null,
    sort: '-written_at',
    shown: ['id', 'strike_id', 'author_id', 'written_at', 'body'],
  },
  costly_strikes: {
    labelColumn: 'airport_name',
    shown: [
      'airport_name',
      'id',
      'incident_date',
      'aircraft',
      'operator',
      'species',
      'damage',
      'cost_total_usd',
      'status',
    ],
  },
  damage_reports: {
    labelColumn: null,
    sort: 'id',
    shown: [
      'id',
      'strike_id',
      'part',
      'damage',
      'estimate_usd',
      'out_of_service_hours',
      'repaired_on',
      'inspector_id',
      'description',
    ],
  },
  inspection_strikes: {
    labelColumn: null,
    sort: ['inspection_id', 'strike_id'],
    shown: ['inspection_id', 'strike_id'],
  },
  inspections: {
    labelColumn: 'title',
    sort: 'position',
    shown: ['title', 'position', 'airport_id', 'priority', 'state', 'due_on', 'assigned_to_id'],
  },
  operators: {
    labelColumn: 'name',
    sort: 'id',
    shown: ['name', 'kind', 'icao_code'],
  },
  reporters: {
    labelColumn: 'name',
    sort: 'id',
    shown: ['name', 'email', 'role', 'airport_id', 'joined_on', 'active'],
  },
  routes: {
    labelColumn: 'name',
    sort: 'id',
    shown: ['name', 'origin_id', 'destination_id', 'year', 'flights', 'distance_mi'],
  },
  species: {
    labelColumn: 'name',
    sort: 'id',
    shown: ['name', 'scientific_name', 'kind', 'parent_id'],
  },
  strike_events: {
    labelColumn: null,
    sort: '-happened_at',
    shown: ['id', 'strike_id', 'happened_at', 'from_status', 'to_status', 'actor_id', 'note'],
  },
  strikes: {
    labelColumn: 'airport_name',
    sort: '-incident_date',
    shown: [
      'airport_name',
      'incident_date',
      'aircraft_type_id',
      'operator_id',
      'species_id',
      'phase',
      'speed_kt',
      'cost_repair_usd',
      'cost_total_usd',
      'status',
      'reporter_id',
      'time_of_day',
    ],
  },
  strikes_by_month: {
    labelColumn: 'month',
    shown: ['month', 'strikes', 'with_damage', 'cost_total_usd', 'mean_speed_kt'],
  },
}

/**
 * What a test declares itself, over the demo’s tables as they are known, and any others in the order of their
 * keys, so that a test knows which row comes first.
 */
export async function demoDefinitions(
  source: Pick<RowSource, 'describe'>,
  declared: Definitions = {},
): Promise<Definitions> {
  const { tables } = await source.describe()
  const known = [...inferTables(tables, declared).values()].map((definition) => [
    definition.table.name,
    { ...optionsOf(definition), ...declared[definition.table.name] },
  ])
  return { ...declared, ...Object.fromEntries(known) }
}

function optionsOf({ table, columns: known }: TableDefinition): TableOptions {
  const { name, columns, key, indexes } = table
  const options = DEMO[name]
  const isThere = (wanted: string) => columns.some((column) => column.name === wanted)
  if (options?.shown?.every(isThere)) return options
  const isByHand = columns.some((column) => namesPosition(wordsOf(column.name)))
  const isDated = indexes.some((index) => {
    const first = columns.find((column) => column.name === index.columns[0]?.name)
    return first?.type === 'date' || first?.type === 'datetime'
  })
  const isKept = key.length === 0 || key.some((one) => known.get(one)?.hidden !== false)
  return isKept || isByHand || isDated ? {} : { sort: key }
}
