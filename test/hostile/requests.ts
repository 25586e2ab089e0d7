/** Requests as the client makes them: what an attack starts from. */

import type { Json } from '../../src/protocol/json.ts'
import { type Call, HEADERS, REQUESTED_WITH, UPDATE_PATH } from '../../src/protocol/wire.ts'
import type { HostileRequest, Person } from './target.ts'

export type Headers = Record<string, string>

/** Headers of an update by this person. */
export const updateHeaders = (person: Person): Headers => ({
  cookie: person.cookie,
  'content-type': 'application/json',
  [HEADERS.marker]: '1',
  [HEADERS.requestedWith]: REQUESTED_WITH,
})

export type Part = {
  snapshot: unknown
  updates?: { [path: string]: unknown }
  calls?: readonly { method: unknown; params: unknown }[]
}

export const bodyOf = (person: Person, ...parts: readonly Part[]) => ({
  _token: person.csrf,
  components: parts.map(({ snapshot, updates = {}, calls = [] }) => ({ snapshot, updates, calls })),
})

/** Posts any text to the update address. */
export const postText = (
  person: Person,
  payload: string | Buffer,
  headers: Headers = {},
): HostileRequest => ({
  method: 'POST',
  url: UPDATE_PATH,
  headers: { ...updateHeaders(person), ...headers },
  payload,
})

/** What a request carries, as text. */
export const textOf = ({ payload }: HostileRequest): string => payload?.toString() ?? ''

let keys = 0

/** An update with an idempotency key of its own. */
export const update = (person: Person, ...parts: readonly Part[]): HostileRequest =>
  postText(person, JSON.stringify(bodyOf(person, ...parts)), {
    [HEADERS.idempotencyKey]: `hostile-${++keys}`,
  })

/** A call of a genuine component. */
export const call = (person: Person, component: string, { method, params }: Call): HostileRequest =>
  update(person, { snapshot: person.snapshots[component], calls: [{ method, params }] })

/** A change of one property of a genuine component. */
export const change = (
  person: Person,
  component: string,
  path: string,
  value: Json,
): HostileRequest =>
  update(person, { snapshot: person.snapshots[component], updates: { [path]: value } })

/** Asks for a page, as data unless `html` is wanted. */
export const visit = (
  person: Person,
  url: string,
  as: 'data' | 'html' = 'data',
): HostileRequest => ({
  url,
  headers: { cookie: person.cookie, ...(as === 'data' && { [HEADERS.navigate]: '1' }) },
})

/** A post of the export form to the list's address; `fields` may hold anything. */
export const exportBy = (
  person: Person,
  url: string,
  fields: readonly [string, string][],
): HostileRequest => ({
  method: 'POST',
  url,
  headers: {
    cookie: person.cookie,
    'content-type': 'application/x-www-form-urlencoded',
    accept: 'text/html',
  },
  payload: new URLSearchParams([['_token', person.csrf], ...fields]).toString(),
})
