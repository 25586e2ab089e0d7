/** What the server holds for one request, and gives to its components. */

import type { Json, JsonObject } from '../../protocol/json.ts'
import type { Actor } from '../actor.ts'
import { AppError } from '../app-error.ts'
import type { Broadcast } from '../channel/channel.ts'
import type { Intent, LoadContext, Request } from '../component/component.ts'
import type { AnyComponent } from '../component/define.ts'
import type { Services } from '../component/services.ts'
import type { KeyRing } from '../keys.ts'
import { uploadsFor } from '../upload/component-uploads.ts'
import type { Uploads } from '../upload/uploads.ts'
import type { IdempotencyStore } from './idempotency.ts'
import type { LaterAnswers } from './later.ts'
import type { SentViews } from './sent-views.ts'
import type { SharedViews } from './shared-views.ts'
import type { Binding } from './snapshot.ts'

export type RequestScope = {
  readonly keys: KeyRing
  readonly components: ReadonlyMap<string, AnyComponent>
  readonly writes: IdempotencyStore
  /** Writes in progress in this process, by user and key: a retry waits for the same answer. */
  readonly running: Map<string, Promise<string>>
  /** Where slow parts of a batch are kept. Default: nowhere, so a batch waits for all of its parts. */
  readonly later?: LaterAnswers
  readonly binding: Binding
  readonly actor: Actor
  readonly locale: string
  readonly language: string
  readonly timeZone?: string | undefined
  readonly signal: AbortSignal
  /**
   * The actor of a refresh, which changes nothing: the application may look up less for them. Default: the
   * actor themselves.
   */
  readonly refreshing?: (actor: Actor) => Actor
  /** Services of the application, made for this actor. Default: none. */
  readonly services?: (actor: Actor) => Services
  /** Where files are uploaded to. Default: nowhere. */
  readonly uploads?: Uploads
  /** Origin of the page that asks, where it says so. */
  readonly origin?: string
  /** Where views are kept that several people are shown. Default: each is read for itself. */
  readonly views?: SharedViews
  /** Where views are kept that browsers were sent. Default: a refresh always sends the whole view. */
  readonly sent?: SentViews
  /** Whether the browser makes a refreshed view of the one before, or may later. Default: false. */
  readonly takesPatches?: boolean
  /** Whether somebody has asked to go on with what took too long. Default: false. */
  readonly isPatient?: boolean
  /** Sends an event to those who have joined its channel. Default: nobody is told. */
  readonly publish?: (broadcast: Broadcast) => void
  /** A version of the data, where the page that asks hears of changes. Default: none. */
  readonly dataVersion?: () => Promise<string | undefined>
  /**
   * Says that an action of the kind `write` has ended. The view of its answer was read when the data had
   * the version `shown`, or later; without one, the page has to hear of the write. Default: nobody is told.
   */
  readonly wrote?: (shown?: string) => void
  /** Waits for the person's turn on the main thread, before work that takes a while. Default: at once. */
  readonly turn?: () => Promise<void>
  /** Reports a failure that the response's status does not show. Default: nothing is reported. */
  readonly report?: (error: unknown) => void
}

/** What every hook of a component is given; `state` is missing on a page that is drawn. Throws what `open` throws. */
export async function requestOf(
  {
    actor,
    binding,
    services,
    uploads,
    origin,
    locale,
    language,
    timeZone,
    signal,
    isPatient,
  }: RequestScope,
  component: AnyComponent,
  params: Json,
  path: string,
  state?: Readonly<JsonObject>,
): Promise<Request> {
  const subject = {
    // An application that provides no services has no components that use them.
    ...(services?.(actor) as Services),
    actor,
    params,
    signal,
  }
  const opened = await component.open(subject, state)
  return {
    ...{ ...subject, opened, path, lineage: binding.lineage, locale, language, timeZone },
    uploads: uploadsFor(uploads, { ...placeOf(binding), component: component.name }, origin),
    ...(isPatient && { isPatient }),
  }
}

const placeOf = ({ user, lineage }: Binding) => ({ user, lineage })

/** Throws `FORBIDDEN` where the component does not allow it. */
export async function allow(
  component: AnyComponent,
  context: LoadContext,
  intent: Intent,
): Promise<void> {
  if (!(await component.authorize(context, intent))) throw new AppError('FORBIDDEN')
}
