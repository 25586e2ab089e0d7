/** Exports for the server: components, the admin, databases and definitions. */

export { type Actor, type Role, ROLES } from '../server/actor.ts'
export { AppError } from '../server/app-error.ts'
export { type RefusalOptions, refuse } from '../server/refuse.ts'
export type {
  Action,
  ActionKind,
  ComponentDefinition,
  Context,
  Intent,
  Listener,
  LoadContext,
  Loaded,
  MountContext,
  Schema,
  ViewInput,
} from '../server/component/component.ts'
export { type Channel, type ChannelOptions, defineChannel } from '../server/channel/channel.ts'
export { channelName } from '../protocol/channels.ts'
export type { Reader } from '../server/http/locale.ts'
export { type Component, defineComponent, type Mounted } from '../server/component/define.ts'
export type { EffectSink } from '../server/component/effects.ts'
export type { Services } from '../server/component/services.ts'
export { FILE_TYPES } from '../server/upload/file-types.ts'
export { uploadedFiles } from '../server/upload/upload-actions.ts'
export type { SignInOptions } from '../admin/sign-in/sign-in-settings.ts'
export type { S3Options } from '../server/upload/s3/s3-options.ts'
export type { ComponentUploads } from '../server/upload/component-uploads.ts'
export type { UploadRules } from '../server/upload/upload-rules.ts'
export type { AuthProvider, AuthRequest, HostPerson } from '../admin/sign-in/auth-provider.ts'
export type { Admin, AdminOptions } from '../admin/compose/admin-options.ts'
export { createAdmin } from '../admin/compose/create-admin.ts'
export { type AdminConfig, defineAdmin } from '../admin/compose/define-admin.ts'
export {
  type Page,
  page,
  type PageOptions,
  type PageRequest,
  Redirect,
  redirectTo,
} from '../admin/pages/page.ts'
export type { Mounts } from '../admin/mounts/mounts.ts'
export { rolePolicy } from '../admin/accounts/roles.ts'
export { openMysql } from '../database/mysql/open.ts'
export { openPostgres } from '../database/postgres/open.ts'
export { openSqlite, type SqliteOptions } from '../database/sqlite/open.ts'
export {
  Access,
  type Grant,
  type GrantOptions,
  type Person,
  type Policy,
  type RowAction,
} from '../table/source/access.ts'
export {
  type ColumnOptions,
  type Definitions,
  defineTable,
  type FormOptions,
  type FormSection,
  type TableOptions,
} from '../table/definition/define-table.ts'
export type { ForPerson, RoleOptions, Roles, RoleTable, RowCondition } from '../table/roles/role.ts'
export {
  choice,
  type ChoiceOptions,
  dateRange,
  type DateRangeOptions,
  type FilterDeclaration,
  numberRange,
  type NumberRangeOptions,
  textFilter,
  type TextFilterOptions,
  yesNo,
} from '../table/filters/declare.ts'
export {
  type CellWriter,
  defineKind,
  type DrawnValue,
  type Formats,
  type ColumnFilter,
  type Kind,
  type KindRule,
  type KindSummary,
  type OrderWords,
  type ValueContext,
  type WrittenValue,
} from '../table/definition/kind.ts'
export type { ColumnFacts, ColumnTest } from '../table/definition/column-facts.ts'
export type { ActorSource, ActorTable, RowChanges } from '../table/actor-source.ts'
export type {
  ChangeOutcome,
  ChangeProblem,
  ProblemKind,
  ProblemPlace,
  RowAsked,
} from '../table/changes/change.ts'
export type { Entry } from '../table/changes/ledger.ts'
export type { TableRules, ToldChange } from '../table/changes/table-rules.ts'
export type { RowImage } from '../table/source/ledger-entry.ts'
export { everything, nothing, type Predicate } from '../table/source/predicate.ts'
export {
  decodePredicate,
  encodePredicate,
  type JsonPredicate,
  type JsonValue,
} from '../table/source/predicate-codec.ts'
export {
  type BulkAction,
  bulkAction,
  type BulkActionOptions,
  type BulkChunk,
  type BulkRow,
} from '../table/actions/bulk-action.ts'
export { JobUncertain } from '../table/source/job-engine.ts'
export { defineJob, type JobContext, type JobKind } from '../table/jobs/job-kind.ts'
export type { Jobs, JobStart } from '../table/jobs/jobs.ts'
export type { Broadcaster, ChannelEvent } from '../table/source/broadcaster.ts'
export type {
  Job,
  JobEngine,
  JobProgress,
  JobRequest,
  JobRun,
  JobState,
  JobStep,
} from '../table/source/job-engine.ts'
export { DATE_TIME_FORMAT, parseDateTime } from '../protocol/date-time-format.ts'
export { DefinitionError, type Problem } from '../table/definition/problems.ts'
export type { PageQuery, RowPage, RowSource, Run } from '../table/source/row-source.ts'
export type { Column, Table } from '../table/source/schema.ts'
export type { Amount, Computed, NewValue, NewValues } from '../table/source/computed.ts'
export type { KeyValues, Value } from '../table/source/value.ts'
export type { Changes, Part, PartResult, Unit, UnitResult } from '../table/source/write-unit.ts'
