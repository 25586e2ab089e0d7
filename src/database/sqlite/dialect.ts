/** How SQLite writes placeholders and names. */

import type { Dialect } from '../sql.ts'

export const sqliteDialect: Dialect = {
  placeholder: () => '?',
  quote: (name) => `"${name.replaceAll('"', '""')}"`,
}
