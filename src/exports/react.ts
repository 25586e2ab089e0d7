/** Exports for React: hooks over the runtime. */

export type { Field } from '../react/field.ts'
export { RuntimeProvider, useRuntime } from '../react/runtime-context.tsx'
export {
  type ReactComponent,
  useComponent,
  useFailure,
  usePage,
  useTimeZone,
} from '../react/use-component.ts'
