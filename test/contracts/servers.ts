/** The database servers that the tests use; their users may create databases. */

export const POSTGRES = new URL(
  process.env['TABLEWIRE_POSTGRES'] ?? 'postgres://root@127.0.0.1:5432/test',
)

export const MYSQL = new URL(process.env['TABLEWIRE_MYSQL'] ?? 'mysql://root@127.0.0.1:3306')

/** Address of a database on a server. */
export const addressOn = (server: URL, database: string): string =>
  new URL(`/${database}`, server).href
