/** Signed permission to send some files: for one session, property, name, type and size (spec §7). */

import * as v from 'valibot'
import type { FileFacts } from '../../protocol/upload.ts'
import { KEY_ID_LENGTH, type KeyRing, MAC_LENGTH } from '../keys.ts'

/** How long a ticket may be used to begin with, ms; what has begun is not cut off. */
export const TICKET_MS = 5 * 60_000

/** Who may send files, and what for. */
export type UploadPlace = {
  readonly user: string
  readonly lineage: string
  readonly component: string
  /** Dotted path of the component's state. */
  readonly property: string
}

export type Ticket = UploadPlace & {
  readonly files: readonly (FileFacts & { readonly id: string })[]
  readonly endsAt: number
}

const ticketSchema = v.strictObject({
  user: v.string(),
  lineage: v.string(),
  component: v.string(),
  property: v.string(),
  files: v.array(
    v.strictObject({ id: v.string(), name: v.string(), size: v.number(), type: v.string() }),
  ),
  endsAt: v.number(),
})

const TICKET = new RegExp(`^([\\w-]+)\\.([\\w-]{${KEY_ID_LENGTH}})\\.([\\w-]{${MAC_LENGTH}})$`)

export function signTicket(keys: KeyRing, ticket: Ticket): string {
  const text = Buffer.from(JSON.stringify(ticket)).toString('base64url')
  const { keyId, mac } = keys.sign('upload', text)
  return `${text}.${keyId}.${mac}`
}

/** The ticket, whatever its age; `undefined` if it was not signed here. */
export function openTicket(keys: KeyRing, text: unknown): Ticket | undefined {
  const [, body = '', keyId = '', mac = ''] = (typeof text === 'string' && TICKET.exec(text)) || []
  if (body === '' || keys.verify('upload', body, { keyId, mac }) !== 'valid') return undefined
  return v.parse(ticketSchema, JSON.parse(Buffer.from(body, 'base64url').toString()))
}
