/**
 * Loads well-known sample databases from their authors' own files, which data/ holds compressed.
 * Servers are reached by their own clients.
 */

import { spawn, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import { isMariaDb } from '../contracts/mysql-server.ts'
import { addressOn, MYSQL, POSTGRES } from '../contracts/servers.ts'

export type Sample = 'chinook' | 'sakila'

const FOLDER = join(import.meta.dirname, 'data')

const PSQL = ['-d', addressOn(POSTGRES, 'postgres')]
const MARIADB = [
  ...['-h', MYSQL.hostname, '-P', MYSQL.port || '3306', '-u', decodeURIComponent(MYSQL.username)],
  ...(MYSQL.password === '' ? [] : [`-p${decodeURIComponent(MYSQL.password)}`]),
]

const read = (sample: Sample, file: string): string =>
  brotliDecompressSync(readFileSync(join(FOLDER, sample, `${file}.br`))).toString('utf8')

/** Fills a new file. */
export function loadSqlite(file: string): void {
  const db = new DatabaseSync(file)
  db.exec(`pragma synchronous = off; begin; ${read('chinook', 'sqlite.sql')}; commit`)
  db.close()
}

/** Makes a database of that name, whatever the file calls its own, and fills it. */
export async function loadPostgres(sample: Sample, database: string): Promise<void> {
  await run(
    'psql',
    [...PSQL, '-q'],
    [
      `create database ${database};\n\\c ${database}\n`,
      ...(sample === 'chinook'
        ? [withoutDatabase(read(sample, 'postgresql.sql'))]
        : [read(sample, 'postgresql-schema.sql'), read(sample, 'postgresql-data.sql')]),
      '\nanalyze;\n',
    ],
  )
}

export async function loadMysql(sample: Sample, database: string): Promise<void> {
  await run('mariadb', MARIADB, [
    `create database ${database} character set utf8mb4; use ${database};\n`,
    ...(sample === 'chinook'
      ? [withoutDatabase(read(sample, 'mysql.sql'))]
      : [
          // Some views name the database of their tables.
          withoutDatabase(read(sample, 'mysql-schema.sql')).replaceAll(/\bsakila\./g, ''),
          withoutDatabase(read(sample, 'mysql-data.sql')),
        ]),
    isMariaDb ? '' : ANALYZE_ALL,
  ])
}

/** MySQL's planner goes astray in tables that nobody has counted yet. */
const ANALYZE_ALL = `
  set session group_concat_max_len = 100000;
  select concat('analyze table ', group_concat('\`', table_name, '\`')) into @analyze
    from information_schema.tables where table_schema = database() and table_type = 'BASE TABLE';
  prepare analyze_all from @analyze; execute analyze_all;
`

export function dropPostgres(database: string): void {
  const drop = `drop database if exists ${database} with (force)`
  spawnSync('psql', [...PSQL, '-qc', drop])
}

export function dropMysql(database: string): void {
  spawnSync('mariadb', [...MARIADB, '-e', `drop database if exists ${database}`])
}

/** Without its own database's name: somebody's own of that name must not be dropped, nor read. */
const withoutDatabase = (text: string): string =>
  text
    .replace(/^(drop (database|schema)|create (database|schema)|use |\\c ).*$/gim, '')
    .replaceAll('sakila.', '')

async function run(client: string, args: readonly string[], input: readonly string[]) {
  const process = spawn(client, args, { stdio: ['pipe', 'ignore', 'pipe'] })
  let complaints = ''
  process.stderr.on('data', (chunk: Buffer) => (complaints += String(chunk)))
  process.stdin.on('error', () => undefined)
  process.stdin.end(input.join('\n'))
  const code = await new Promise<number | null>((resolve, reject) => {
    process.once('error', reject)
    process.once('close', resolve)
  })
  if (code !== 0) throw new Error(`${client} ended with ${code}: ${complaints.slice(0, 2000)}`)
}
