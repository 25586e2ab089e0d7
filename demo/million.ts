/** Adds the large tables to the demo: orders and customers, a million rows or as many as asked for. */

import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { buildDemo } from './build.ts'
import { customerOf, orderOf } from './orders.ts'
import { progressBar } from './progress-bar.ts'

const MOST_CUSTOMERS = 100_000
/** SQLite's keys can be larger, but the rows come from a 32-bit hash. */
const MOST_ROWS = 1_000_000_000
const ROWS_PER_REPORT = 10_000

const tables = `
DROP TABLE IF EXISTS orders;
DROP TABLE IF EXISTS customers;
CREATE TABLE customers (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  email TEXT NOT NULL
) STRICT;
CREATE TABLE orders (
  id INTEGER PRIMARY KEY,
  customer_id INTEGER NOT NULL REFERENCES customers (id),
  status TEXT NOT NULL CHECK (status IN ('new', 'paid', 'shipped', 'cancelled', 'refunded')),
  total REAL NOT NULL,
  placed_at TEXT NOT NULL,
  note TEXT NOT NULL,
  position INTEGER NOT NULL
) STRICT;
`

const indexes = [
  'CREATE INDEX orders_placed_at ON orders (placed_at, id)',
  'CREATE INDEX orders_placed_at_total ON orders (placed_at, total, id)',
  'CREATE INDEX orders_status ON orders (status, id)',
  'CREATE INDEX orders_customer ON orders (customer_id, id)',
  'CREATE INDEX orders_position ON orders (position, id)',
]

/**
 * Writes `orders` with this many rows, and `customers`, replacing those in `file`, in one transaction:
 * other readers see the old tables until the end. The same number of rows always gives the same rows.
 * `onProgress` counts work, not rows: indexes take time too.
 * Throws a `RangeError` unless `rows` is a whole number from 1 to a thousand million.
 */
export function addMillion(
  file: string,
  rows = 1_000_000,
  onProgress: (done: number, total: number) => void = () => {},
): void {
  if (!Number.isInteger(rows) || rows < 1 || rows > MOST_ROWS) {
    throw new RangeError(`Rows must be a whole number from 1 to ${MOST_ROWS}, not ${rows}`)
  }
  // The references are valid by construction. Closing before the commit leaves the file unchanged.
  const db = new DatabaseSync(file, { enableForeignKeyConstraints: false, timeout: 10_000 })
  try {
    db.exec('BEGIN IMMEDIATE')
    write(db, rows, onProgress)
    db.exec('COMMIT')
  } finally {
    db.close()
  }
}

function write(
  db: DatabaseSync,
  rows: number,
  onProgress: (done: number, total: number) => void,
): void {
  const customers = Math.min(rows, MOST_CUSTOMERS)
  // Six more passes over the rows, each about a third of the time that inserting them takes.
  const pass = rows / 3
  const total = customers + rows + pass * (indexes.length + 1)
  db.exec(tables)
  insert(db, 'customers', customers, customerOf, (done) => onProgress(done, total))
  const order = (id: number) => orderOf(id, customers)
  insert(db, 'orders', rows, order, (done) => onProgress(customers + done, total))
  for (const [index, statement] of [...indexes, 'ANALYZE'].entries()) {
    db.exec(statement)
    onProgress(customers + rows + pass * (index + 1), total)
  }
}

function insert(
  db: DatabaseSync,
  table: string,
  rows: number,
  rowOf: (id: number) => (string | number)[],
  onProgress: (done: number) => void,
): void {
  const places = rowOf(1).map(() => '?')
  const statement = db.prepare(`INSERT INTO ${table} VALUES (${places.join()})`)
  for (let id = 1; id <= rows; id += 1) {
    statement.run(...rowOf(id))
    if (id % ROWS_PER_REPORT === 0) onProgress(id)
  }
}

function main(file: string, rows: number): void {
  if (!existsSync(file)) buildDemo(file)
  const start = performance.now()
  addMillion(file, rows, progressBar(process.stderr, 'Orders'))
  const seconds = ((performance.now() - start) / 1000).toFixed(1)
  console.log(`${file} has ${rows.toLocaleString('en')} orders, written in ${seconds} s`)
}

if (import.meta.main) {
  try {
    main('.tablewire/demo.sqlite', Number(process.argv[2] ?? 1_000_000))
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    console.error(`${error.message}. For example: node demo/million.ts 50000`)
    process.exitCode = 1
  }
}
