/** The server's door: components, the admin, and what they are made of. */

export { type Actor, type Role, ROLES } from '../server/actor.ts'
export { AppError } from '../server/app-error.ts'
export {
  type Action,
  type Component,
  type ComponentDefinition,
  type Context,
  defineComponent,
  type EffectSink,
  type Intent,
  type Schema,
} from '../server/component.ts'
export type { AuthProvider, AuthRequest, HostPerson } from '../admin/auth-provider.ts'
export { type Admin, type AdminOptions, createAdmin } from '../admin/create-admin.ts'
export { type AdminConfig, defineAdmin } from '../admin/define-admin.ts'
export type { Mounts } from '../admin/mounts.ts'
export { rolePolicy } from '../admin/accounts/roles.ts'
export { openMysql } from '../database/mysql/open.ts'
export { openPostgres } from '../database/postgres/open.ts'
export { openSqlite } from '../database/sqlite/open.ts'
export { Access, type Grant, type Policy, type RowAction } from '../table/access.ts'
export {
  type ColumnOptions,
  type Definitions,
  defineTable,
  type TableOptions,
} from '../table/define-table.ts'
export { everything, nothing, type Predicate } from '../table/predicate.ts'
export { DefinitionError, type Problem } from '../table/problems.ts'
export type { RowSource } from '../table/row-source.ts'
