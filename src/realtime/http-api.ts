/** The HTTP API of the protocol, by which servers publish and ask who is there. */

import type { FastifyInstance, FastifyRequest } from 'fastify'
import type * as v from 'valibot'
import type { Json, JsonObject } from '../protocol/json.ts'
import { isUserId, readChannel } from './channels.ts'
import { propertyOf } from '../server/property-of.ts'
import type { Clock } from './clock.ts'
import { readAs } from './client-message.ts'
import type { Delivery, Hub } from './hub.ts'
import { checkBody, checkRequest, ApiError, type AppRequest } from './http-signature.ts'
import { batchSchema, deliveriesOf, eventSchema } from './http-events.ts'
import { LIMITS } from './limits.ts'
import type { RealtimeApp } from './signatures.ts'

export type HttpApiOptions = {
  readonly app: RealtimeApp
  readonly prefix: string
  readonly clock: Clock
  readonly hub: Hub
  /** Publishes on all nodes. */
  publish(delivery: Delivery): void
  terminate(user: string): void
}

/** A batch of the largest events, each of their characters escaped. */
const BODY_BYTES = 1024 * 1024

/** `named` is what the path names: a channel or a user. */
type Handler = (request: AppRequest, named: string) => Json

/** Adds the routes to a part of its own, where bodies stay bytes and failures have the API's form. */
export async function addHttpApi(app: FastifyInstance, options: HttpApiOptions): Promise<void> {
  await app.register(async (part) => {
    const asked = new WeakMap<FastifyRequest, AppRequest>()
    part.removeAllContentTypeParsers()
    part.addContentTypeParser(
      '*',
      { parseAs: 'buffer', bodyLimit: BODY_BYTES },
      (_request, body, done) => done(null, body),
    )
    part.addHook('onRequest', async (request) => {
      asked.set(request, checkRequest(options.app, options.clock.now(), request))
    })
    part.setErrorHandler((error, _request, reply) => {
      const { status, message } = toApiError(error)
      return reply.code(status).send({ error: message })
    })
    const base = `${options.prefix}/apps/:id`
    const answer =
      (handler: Handler) =>
      async (request: FastifyRequest, reply: { send(payload: Json): unknown }) => {
        const found = asked.get(request)
        if (!found) throw new ApiError(401, 'The request is not signed.')
        const body = checkBody(found, request.body)
        const named = propertyOf(request.params, 'name')
        return reply.send(handler({ ...found, body }, typeof named === 'string' ? named : ''))
      }
    part.post(`${base}/events`, answer(publishing(options)))
    part.post(`${base}/batch_events`, answer(publishingBatches(options)))
    part.get(`${base}/channels`, answer(listing(options)))
    part.get(`${base}/channels/:name`, answer(describing(options)))
    part.get(`${base}/channels/:name/users`, answer(listingUsers(options)))
    part.post(`${base}/users/:name/terminate_connections`, answer(terminating(options)))
  })
}

/** Fastify's own refusals tell the client what is wrong; any other error is not for the client to read. */
function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error
  const status = propertyOf(error, 'statusCode')
  return typeof status === 'number' && status < 500 && error instanceof Error
    ? new ApiError(status, error.message)
    : new ApiError(500, 'Internal error.')
}

const publishing =
  ({ hub, publish }: HttpApiOptions): Handler =>
  ({ body }) => {
    const trigger = bodyAs(eventSchema, body)
    const names = trigger.channels ?? (trigger.channel === undefined ? [] : [trigger.channel])
    const deliveries = deliveriesOf(trigger, names)
    const answers = names.map((name) => [name, infoOf(hub, name, infos(trigger.info))] as const)
    for (const delivery of deliveries) publish(delivery)
    return trigger.info === undefined ? {} : { channels: Object.fromEntries(answers) }
  }

const publishingBatches =
  ({ hub, publish }: HttpApiOptions): Handler =>
  ({ body }) => {
    const { batch } = bodyAs(batchSchema, body)
    if (batch.length > LIMITS.eventsPerBatch)
      throw new ApiError(400, 'The batch has too many events.')
    // All are checked before the first is sent.
    const deliveries = batch.flatMap((one) => deliveriesOf(one, [one.channel]))
    const isAsked = batch.some(({ info }) => info !== undefined)
    const answers = batch.map((one) => infoOf(hub, one.channel, infos(one.info)))
    for (const delivery of deliveries) publish(delivery)
    return isAsked ? { batch: answers } : {}
  }

const listing =
  ({ hub }: HttpApiOptions): Handler =>
  ({ parameters }) => {
    const prefix = parameters.get('filter_by_prefix') ?? ''
    const wanted = infos(parameters.get('info'))
    if (wanted.includes('user_count') && !prefix.startsWith('presence-'))
      throw new ApiError(400, 'Users are counted on presence channels only.')
    const names = [...hub.rooms.names()].filter((name) => name.startsWith(prefix))
    return { channels: Object.fromEntries(names.map((name) => [name, infoOf(hub, name, wanted)])) }
  }

const describing =
  ({ hub }: HttpApiOptions): Handler =>
  ({ parameters }, channel) => ({
    occupied: hub.rooms.countOf(known(channel).name) > 0,
    ...infoOf(hub, channel, infos(parameters.get('info'))),
  })

const listingUsers =
  ({ hub }: HttpApiOptions): Handler =>
  (_request, channel) => {
    if (known(channel).access !== 'presence')
      throw new ApiError(400, 'Only presence channels know their users.')
    return { users: hub.rooms.membersOf(channel).map(({ id }) => ({ id })) }
  }

const terminating =
  ({ terminate }: HttpApiOptions): Handler =>
  (_request, user) => {
    if (!isUserId(user)) throw new ApiError(400, 'The id of the user is not allowed.')
    terminate(user)
    return {}
  }

function known(name: string) {
  const channel = readChannel(name)
  if (!channel) throw new ApiError(400, 'The name of the channel is not allowed.')
  return channel
}

const INFOS = ['user_count', 'subscription_count', 'cache'] as const

type Info = (typeof INFOS)[number]

const isInfo = (name: string): name is Info => INFOS.some((info) => info === name)

function infos(text: string | undefined): readonly Info[] {
  const wanted = text === undefined || text === '' ? [] : text.split(',')
  return wanted.map((name) => {
    if (!isInfo(name)) throw new ApiError(400, 'There is no such info of channels.')
    return name
  })
}

/** Throws if the channel has no such info. */
function infoOf(hub: Hub, name: string, wanted: readonly Info[]): JsonObject {
  const { access } = known(name)
  const values: Readonly<Record<Info, () => Json>> = {
    user_count() {
      if (access !== 'presence')
        throw new ApiError(400, 'Users are counted on presence channels only.')
      return hub.rooms.membersOf(name).length
    },
    subscription_count: () => hub.rooms.countOf(name),
    cache: () => hub.cache.describe(name),
  }
  return Object.fromEntries(wanted.map((info) => [info, values[info]()]))
}

function bodyAs<Schema extends v.GenericSchema>(
  schema: Schema,
  body: Buffer | undefined,
): v.InferOutput<Schema> {
  const value = readAs(schema, body?.toString() ?? '')
  if (value === undefined) throw new ApiError(400, 'The body does not have the shape of the API.')
  return value
}
