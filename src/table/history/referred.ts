/** The rows that changed references were and are about, by their labels, as far as the reader may read them. */

import { labelText } from '../references.ts'
import { isKept, type RowImage } from '../source/ledger-entry.ts'
import type { OpenTable, Relation } from '../catalog.ts'
import type { RowSource } from '../source/row-source.ts'
import type { Value } from '../source/value.ts'
import type { Told } from './describe.ts'

/** The label of the row that a value of a column refers to. */
export type Referred = (open: OpenTable, column: string, value: Value) => string | undefined

/** Most values of one column that are looked up; the others are told as they are stored. */
const MOST = 200
const TIMEOUT_MS = 1000

export const nobody: Referred = () => undefined

/** What it does not find in time is told by its key. */
export async function referredLabels(
  source: Pick<RowSource, 'page'>,
  told: readonly Told[],
  signal?: AbortSignal,
): Promise<Referred> {
  const asked = new Map<string, Asked>()
  for (const { open, image } of told.flatMap(({ seen }) => seen))
    for (const column of Object.keys((image.after && image.before) ?? {})) {
      const relation = open.relations.get(column)
      if (relation) add(asked, nameOf(open, column), { relation, image, column })
    }
  const found = await Promise.all(
    [...asked].map(async ([name, { relation, values }]) => {
      const labels = await labelsOf(source, relation, [...values.values()], signal)
        // What cannot be looked up hides no history.
        .catch(() => new Map<string, string>())
      signal?.throwIfAborted()
      return [name, labels] as const
    }),
  )
  const labels = new Map(found)
  return (open, column, value) => labels.get(nameOf(open, column))?.get(String(value))
}

type Asked = { readonly relation: Relation; readonly values: Map<string, Value> }

function add(
  asked: Map<string, Asked>,
  name: string,
  { relation, image, column }: { relation: Relation; image: RowImage; column: string },
): void {
  const { values } = asked.get(name) ?? { values: new Map<string, Value>() }
  asked.set(name, { relation, values })
  for (const value of [image.before?.[column], image.after?.[column]])
    if (value !== undefined && value !== null && isKept(value) && values.size < MOST)
      values.set(String(value), value)
}

const nameOf = ({ access }: OpenTable, column: string): string =>
  JSON.stringify([access.table.name, column])

/** The labels of the rows that these values refer to, by value. */
export async function labelsOf(
  source: Pick<RowSource, 'page'>,
  { access, references, label }: Relation,
  values: readonly Value[],
  signal: AbortSignal | undefined,
): Promise<Map<string, string>> {
  const page = await source.page(
    access,
    {
      ...{ columns: [references, label], sort: [], size: values.length, place: { at: 'first' } },
      where: { op: 'in', column: references, values },
    },
    { timeoutMs: TIMEOUT_MS, ...(signal && { signal }) },
  )
  return new Map(
    page.rows.flatMap(({ values: [key = null, name = null] }): [string, string][] => {
      const text = access.showsValue(label, name) ? labelText(name) : null
      return text === null ? [] : [[String(key), text]]
    }),
  )
}
