/**
 * Loads the large tables of `npm run demo:million` into a server: `node bench/load.ts <url> [rows]`.
 * Drops and creates the database in the URL.
 */

import { createConnection } from 'mysql2/promise'
import pg from 'pg'
import { customerOf, orderOf } from '../demo/orders.ts'
import { progressBar } from '../demo/progress-bar.ts'

const MOST_CUSTOMERS = 100_000
const ROWS_PER_STATEMENT = 5000

type Row = readonly (string | number)[]

/** What loading needs of a server. */
type Server = {
  run(sql: string): Promise<unknown>
  insert(table: string, rows: readonly Row[]): Promise<unknown>
  readonly types: { readonly id: string; readonly moment: string; readonly text: string }
  readonly analyze: string
  close(): Promise<void>
}

const INDEXES = [
  'create index orders_placed_at on orders (placed_at, id)',
  'create index orders_placed_at_total on orders (placed_at, total, id)',
  'create index orders_status on orders (status, id)',
  'create index orders_customer on orders (customer_id, id)',
  'create index orders_position on orders (position, id)',
]

async function load(server: Server, rows: number): Promise<void> {
  const { id, moment, text } = server.types
  const customers = Math.min(rows, MOST_CUSTOMERS)
  const total = customers + rows * (1 + INDEXES.length / 3)
  const report = progressBar(process.stderr, 'Orders')
  await server.run(`create table customers (
    id ${id} primary key, name ${text} not null, email ${text} not null)`)
  await server.run(`create table orders (
    id ${id} primary key, customer_id ${id} not null references customers (id),
    status varchar(20) not null check (status in ('new', 'paid', 'shipped', 'cancelled', 'refunded')),
    total decimal(10, 2) not null, placed_at ${moment} not null, note text not null,
    position ${id} not null)`)
  await insertAll(server, 'customers', customers, customerOf, (done) => report(done, total))
  const order = (one: number) => orderOf(one, customers)
  await insertAll(server, 'orders', rows, order, (done) => report(customers + done, total))
  for (const [i, index] of INDEXES.entries()) {
    await server.run(index)
    report(customers + rows * (1 + (i + 1) / 3), total)
  }
  await server.run(server.analyze)
}

async function insertAll(
  server: Server,
  table: string,
  rows: number,
  rowOf: (id: number) => Row,
  onProgress: (done: number) => void,
): Promise<void> {
  for (let first = 1; first <= rows; first += ROWS_PER_STATEMENT) {
    const size = Math.min(ROWS_PER_STATEMENT, rows - first + 1)
    await server.insert(
      table,
      Array.from({ length: size }, (_, i) => rowOf(first + i)),
    )
    onProgress(first + size - 1)
  }
}

async function openPostgres(url: URL, database: string): Promise<Server> {
  const admin = new URL(url)
  admin.pathname = '/postgres'
  const maker = new pg.Client({ connectionString: admin.href })
  await maker.connect()
  await maker.query(`drop database if exists ${database}`)
  await maker.query(`create database ${database}`)
  await maker.end()
  const client = new pg.Client({ connectionString: url.href })
  await client.connect()
  const columns: Readonly<Record<string, string>> = {
    customers: '$1::int[], $2::text[], $3::text[]',
    orders:
      '$1::int[], $2::int[], $3::text[], $4::numeric[], $5::timestamp[], $6::text[], $7::int[]',
  }
  return {
    types: { id: 'integer', moment: 'timestamp', text: 'text' },
    analyze: 'vacuum analyze',
    run: (sql) => client.query(sql),
    insert: (table, rows) =>
      client.query(
        `insert into ${table} select * from unnest(${columns[table]})`,
        rows[0]!.map((_, column) => rows.map((row) => row[column])),
      ),
    close: () => client.end(),
  }
}

async function openMysql(url: URL, database: string): Promise<Server> {
  const admin = new URL(url)
  admin.pathname = '/'
  const maker = await createConnection(admin.href)
  await maker.query(`drop database if exists ${database}`)
  await maker.query(`create database ${database} character set utf8mb4`)
  await maker.end()
  const connection = await createConnection(url.href)
  await connection.query('set unique_checks = 0, foreign_key_checks = 0')
  return {
    types: { id: 'int', moment: 'datetime', text: 'varchar(200)' },
    analyze: 'analyze table customers, orders',
    run: (sql) => connection.query(sql),
    insert: (table, rows) => connection.query(`insert into ${table} values ?`, [rows]),
    close: () => connection.end(),
  }
}

const [address, count = '1000000'] = process.argv.slice(2)
if (address === undefined) throw new Error('Name the database: node bench/load.ts <url> [rows]')
const url = new URL(address)
const database = url.pathname.slice(1)
if (!/^tablewire_bench_\w+$/.test(database))
  throw new Error(`[${database}] would be dropped. Name it tablewire_bench_….`)
const server = await (url.protocol === 'mysql:' ? openMysql : openPostgres)(url, database)
const started = performance.now()
await load(server, Number(count))
await server.close()
console.log(
  `${database}: ${count} orders in ${((performance.now() - started) / 1000).toFixed(1)} s`,
)
