/** Exports of the wire contract: types, constants and error codes. */

export {
  channelName,
  type ChannelOf,
  type ChannelParams,
  type ChannelTypes,
  type RealtimeAddress,
  type TypedChannel,
} from '../protocol/channels.ts'
export type { Calls, ComponentTypes, Typed, TypesOf } from '../protocol/component-types.ts'
export type { FieldControl, FieldInput } from '../protocol/form-view.ts'
export * as constants from '../protocol/constants.ts'
export { type ErrorCode, ERRORS } from '../protocol/errors.ts'
export type { Json, JsonObject } from '../protocol/json.ts'
export type { PageComponent, PageContent, PageData, ShownPage } from '../protocol/page.ts'
export {
  type FieldValue,
  type FieldView,
  recordHref,
  type RecordView,
} from '../protocol/record-view.ts'
export { COLUMN_KINDS } from '../protocol/table-view.ts'
export type {
  BuiltInKind,
  Cell,
  ColumnKind,
  ColumnLayout,
  ColumnView,
  Row,
  TableView,
} from '../protocol/table-view.ts'
export type {
  Assets,
  Call,
  ComponentRequest,
  ComponentResponse,
  Dispatch,
  Effects,
  ErrorBody,
  Memo,
  Snapshot,
  UpdateRequest,
  UpdateResponse,
} from '../protocol/wire.ts'
export type { UploadAddress, UploadedFile } from '../protocol/upload.ts'
export { HEADERS, NAVIGATE, REQUESTED_WITH, UPDATE_LIMITS, UPDATE_PATH } from '../protocol/wire.ts'
