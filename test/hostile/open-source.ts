/** Where the hostile tests get their rows from. */

export { openSqlite as openSource } from '../../src/database/sqlite/open.ts'
