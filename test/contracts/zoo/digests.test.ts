import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '../../../src/cli/open-database.ts'
import { createCatalog } from '../../../src/table/catalog.ts'
import { keyName, readRows } from '../../../src/table/changes/read-rows.ts'
import { everything } from '../../../src/table/source/predicate.ts'
import { rowDigest } from '../../../src/table/source/row-digest.ts'
import type { KeyValues } from '../../../src/table/source/value.ts'
import { anything } from '../../kills/jars.ts'
import { admin } from '../../table-of.ts'
import { describeMetadata } from '../metadata-places.ts'
import { createRows } from './zoo-rows.ts'
import { ZOOS } from './zoos.ts'

const TABLE = 'zoo_digests'
/** The database itself fills these in. */
const MADE = new Set(['v_made', 'v_point'])

describeMetadata('the digests of the type zoo', (place) => {
  beforeAll(async () => {
    for (const statement of ZOOS[place().engine].setUp) await place().run(statement)
  })

  test('are the same by a page, by the rows of a change and in the transaction that writes', async () => {
    await createRows(place(), TABLE)
    const zoo = ZOOS[place().engine]
    const source = await openDatabase(place().address)
    onTestFinished(() => source.close())
    await source.writing?.allow(true)
    const catalog = await createCatalog(source, anything)
    const { access } = catalog.open(admin, TABLE)
    const columns = access.table.columns
      .map(({ name }) => name)
      .filter((name) => access.canRead(name))
    const faults: string[] = []
    for (const name of columns) {
      const keys: KeyValues[] = []
      const digests: number[] = []
      for await (const some of source.digests(access, everything, [name])) {
        keys.push(...some.keys)
        digests.push(...(some.digests ?? []))
      }
      const isEmpty = name === 'note' || MADE.has(name) || zoo.columns[name]?.edges.length === 0
      if (!isEmpty && new Set(digests).size < 2) faults.push(`${name} holds nothing`)
      const read = await readRows(source, access, keys)
      for (const [at, key] of keys.entries()) {
        const value = read.get(keyName(key))?.[name] ?? null
        if (rowDigest([value]) !== digests[at]) faults.push(`${name}: ${String(value)}`)
      }
      const holding = { columns: [name], digests }
      const expected = { in: keys, where: everything, expect: { matched: keys.length, holding } }
      const sets = [{ ...expected, set: { note: null } }]
      const { isDone } = await source.write({ parts: [{ access, sets }] })
      if (!isDone) faults.push(`${name} is another in the transaction`)
    }
    expect(faults).toEqual([])
  })
})
