/** Exports for browsers without React: the runtime of a page. */

export { CallError, type ClientErrorCode } from '../client/call-error.ts'
export type { ComponentState, LiveComponent, SetOptions, WaitingFor } from '../client/component.ts'
export { createRuntime } from '../client/create-runtime.ts'
export { browserEnvironment, type Environment } from '../client/environment.ts'
export type { Failure } from '../client/failure.ts'
export type { LinkHandlers } from '../client/navigation/link-events.ts'
export type { Move, VisitOptions } from '../client/navigation/moves.ts'
export { type PollOptions, startPoll } from '../client/poll.ts'
export type { Runtime } from '../client/runtime.ts'
