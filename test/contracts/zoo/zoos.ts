/** The zoo of each engine. */

import type { MetadataPlace } from '../metadata-places.ts'
import { mysqlZoo } from './mysql-zoo.ts'
import { postgresZoo } from './postgres-zoo.ts'
import { sqliteZoo } from './sqlite-zoo.ts'
import type { Zoo } from './zoo.ts'

export const ZOOS: { readonly [engine in MetadataPlace['engine']]: Zoo } = {
  ...{ sqlite: sqliteZoo, postgres: postgresZoo, mysql: mysqlZoo },
}
