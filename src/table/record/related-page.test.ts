/** How the rows that refer to a record are told apart in lines. */

import { afterAll, beforeAll, expect, test } from 'vitest'
import { type OpenDataFile, openDataFile } from '../../../test/data-file.ts'
import { doorTo } from '../../../test/door-to.ts'
import { policyHiding } from '../../../test/hiding-policy.ts'
import { admin } from '../../../test/table-of.ts'
import type { RecordView } from '../../protocol/record-view.ts'
import { testComponent } from '../../server/component/test-component.ts'
import { createCatalog } from '../catalog.ts'
import { createRecordComponent } from './component.ts'

let data: OpenDataFile
beforeAll(async () => {
  data = await openDataFile(`
    create table airports (id integer primary key, name text not null unique);
    create table operators (id integer primary key, name text not null unique);
    create table strikes (id integer primary key, at text);
    create table airport_operators (
      airport_id integer not null references airports (id),
      operator_id integer not null references operators (id),
      first_id integer not null references strikes (id), reports integer not null,
      primary key (airport_id, operator_id)
    );
    create table guards (id integer primary key, first_name text not null, last_name text not null,
      airport_id integer references airports (id));
    insert into airports values (1, 'Denver'), (2, 'Memphis');
    insert into operators values (1, 'United'), (2, 'FedEx');
    insert into strikes values (7, '2002-07-25'), (8, '2002-07-24');
    insert into airport_operators values (1, 1, 7, 3), (1, 2, 7, 4), (2, 2, 8, 5);
    insert into guards values (1, 'Ana', 'Silva', 1), (2, 'Ana', 'Costa', 1)`)
})
afterAll(() => data.close())

/** The lines under the record, by the table they are of: the values of their columns, then their names. */
async function linesOf(table: string, key: string) {
  const { source } = data
  const catalog = await createCatalog(source, policyHiding({}), {})
  const component = createRecordComponent({
    ...{ source, catalog: () => catalog, door: doorTo(source, () => catalog) },
    href: (name) => `/tables/${name}`,
  })
  const record = await testComponent(component, { actor: admin, params: { table, key } })
  const shown = record.view as RecordView
  const { related } = shown.isPartial ? { ...shown, ...(await record.call.around()) } : shown
  return Object.fromEntries(
    related.flatMap(({ label, first }) =>
      first ? [[label, { ...first, columns: first.columns.map(({ name }) => name) }]] : [],
    ),
  )
}

test('a joining row is named by what else it joins', async () => {
  const { 'Airport operators': ofAirport } = await linesOf('airports', '1')
  expect(ofAirport?.columns).toEqual(['operator_id', 'reports'])
  expect(ofAirport?.names).toBeUndefined()
  const { 'Airport operators': ofStrike } = await linesOf('strikes', '7')
  expect(ofStrike?.columns).toEqual(['airport_id', 'operator_id'])
})

test('a row whose name several values make has all of it', async () => {
  const { Guards: guards } = await linesOf('airports', '1')
  expect([guards?.columns, guards?.names]).toEqual([['first_name', 'last_name'], 2])
  expect(guards?.rows.map(([, label]) => label)).toEqual(['Ana Costa', 'Ana Silva'])
})
