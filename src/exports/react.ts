/** Exports for React: hooks over the runtime. */

export type { Field } from '../react/field.ts'
export { Link, type LinkProps, type Navigate, useNavigate } from '../react/link.tsx'
export { RuntimeProvider, useRuntime } from '../react/runtime-context.tsx'
export {
  type ReactComponent,
  useComponent,
  useFailure,
  useMove,
  usePage,
  useTimeZone,
} from '../react/use-component.ts'
export {
  type ChannelEventHandlers,
  type ChannelOptions,
  type Members,
  useChannel,
  useConnection,
  useEvent,
  usePresence,
} from '../react/use-channel.ts'
export { useKept } from '../react/use-kept.ts'
export { useDirty } from '../react/use-dirty.ts'
export { type Entangled, useEntangled } from '../react/use-entangled.ts'
export { type EventHandlers, useEvents } from '../react/use-events.ts'
export { type LazyOptions, useLazy } from '../react/use-lazy.ts'
export { type LoadingDelay, type LoadingOptions, useLoading } from '../react/use-loading.ts'
export { type PollOptions, usePoll } from '../react/use-poll.ts'
export {
  type ReactUpload,
  type UploadProperty,
  useUpload,
  type UseUploadOptions,
} from '../react/use-upload.ts'
export type { UploadEvents, UploadItem } from '../client/upload.ts'
