/** Channels that tell who is on a table or a record, and name nobody. */

import * as v from 'valibot'
import { CHANNEL_NAME_MAX, channelName } from '../../protocol/channels.ts'
import {
  type AnyChannel,
  type ChannelSubject,
  defineChannel,
} from '../../server/channel/channel.ts'
import type { KeyRing } from '../../server/keys.ts'
import type { Catalog, OpenTable } from '../../table/catalog.ts'
import { decodeKey, encodeKey } from '../../table/row-key.ts'
import type { Person } from '../../table/source/access.ts'
import type { KeyValues } from '../../table/source/value.ts'

/** Everybody who has the table open, in its list or in one of its records. */
const TABLE = 'presence-table.{table}'
/** Those of them who are using the page now. */
const AWAKE = 'presence-awake.{table}'
/** Everybody who has the record open. `{row}` is its sealed key, which may itself be a secret. */
const RECORD = 'presence-record.{table}.{row}'

/** Patterns of these channels. */
export const PRESENCE_CHANNELS = [TABLE, AWAKE, RECORD]

/** Longest wait for the row of a record's channel, ms: others wait for the same round of reviews. */
const ROW_TIMEOUT_MS = 1000
/** Characters of a name that are told: what a member tells of itself is limited by the protocol. */
const NAME_MAX = 60

const personSchema = v.strictTuple([v.string(), v.string(), v.string()])

type TableParams = { readonly table: string }

export type Presence = {
  readonly channels: readonly AnyChannel[]
  /** Names of a table's channels; `undefined` if its own name is too long for one. */
  ofTable(table: string): { readonly table: string; readonly awake: string } | undefined
  /** Name of a row's channel; `null` if its key is too long for one. */
  ofRow(table: string, key: KeyValues): string | null
  /** The person of a sealed name; `undefined` if it is not one of this table. */
  open(table: string, sealed: string): Person | undefined
}

/**
 * A channel tells all of its members the same, so names travel sealed: a page has them opened by the
 * presence component, under its reader's own policy. Ids of members differ from table to table.
 */
export function createPresence(keys: KeyRing, catalog: () => Catalog): Presence {
  const memberId = ({ actor, params }: ChannelSubject): string =>
    keys.sign('presence', JSON.stringify([params['table'], actor.id])).mac

  function sealed({ actor, params }: ChannelSubject<TableParams>): string {
    const { id, name, role } = actor
    const text = JSON.stringify([id, [...name].slice(0, NAME_MAX).join(''), role])
    // Lengths tell little when they are rounded up.
    return keys.seal(peopleOf(params.table), text.padEnd(Math.ceil(text.length / 64) * 64))
  }

  async function mayJoinRow({
    actor,
    params: { table, row },
    source,
    signal,
  }: ChannelSubject<TableParams & { readonly row: string }>): Promise<boolean> {
    const open = catalog().find(actor, table)
    const key = open && keyIn(keys, open, row)
    if (!open || !key) return false
    // The name was made here, and no row is hidden from whoever sees them all.
    if (open.access.seesAllRows) return true
    // While the database does not answer this throws 503: nobody is let in, and who is there stays.
    return Boolean(await source.table(table).row(key, [], { signal, timeoutMs: ROW_TIMEOUT_MS }))
  }

  const mayJoinTable = ({ actor, params }: ChannelSubject<TableParams>) =>
    catalog().find(actor, params.table) !== undefined

  return {
    channels: [
      defineChannel(TABLE, { authorize: mayJoinTable, member: sealed }),
      defineChannel(AWAKE, { authorize: mayJoinTable, member: () => null }),
      defineChannel(RECORD, { authorize: mayJoinRow, member: sealed }),
    ].map((channel) => ({ ...channel, memberId })),
    ofTable(table) {
      const names = {
        table: channelName(TABLE, { table }),
        awake: channelName(AWAKE, { table }),
      }
      return isLegal(names.table) ? names : undefined
    },
    ofRow(table, key) {
      const name = channelName(RECORD, { table, row: keys.seal(rowsOf(table), encodeKey(key)) })
      return isLegal(name) ? name : null
    },
    open(table, text) {
      const opened = keys.open(peopleOf(table), text)
      if (opened === undefined) return undefined
      const [id, name, role] = v.parse(personSchema, JSON.parse(opened))
      return { id, name, role }
    },
  }
}

const peopleOf = (table: string) => `people on ${table}`
const rowsOf = (table: string) => `row with people of ${table}`

function keyIn(keys: KeyRing, { access }: OpenTable, row: string): KeyValues | null {
  const text = keys.open(rowsOf(access.table.name), row)
  return text === undefined ? null : decodeKey(text, access.table)
}

const isLegal = (name: string): boolean => name.length <= CHANNEL_NAME_MAX
