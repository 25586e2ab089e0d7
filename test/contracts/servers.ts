/** The servers that the tests use; the users of database servers may create databases. */

export const POSTGRES = new URL(
  process.env['TABLEWIRE_POSTGRES'] ?? 'postgres://root@127.0.0.1:5432/test',
)

export const MYSQL = new URL(process.env['TABLEWIRE_MYSQL'] ?? 'mysql://root@127.0.0.1:3306')

export const REDIS = new URL(process.env['TABLEWIRE_REDIS'] ?? 'redis://127.0.0.1:6379')

/** Address of a database on a server. */
export const addressOn = (server: URL, database: string): string =>
  new URL(`/${database}`, server).href
