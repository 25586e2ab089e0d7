/** How the rows of a table are addressed: by their keys, or by sealed ones where a key is a secret. */

import type { Sealer } from '../server/keys.ts'
import { ANCHOR_MAX, decodeAnchor, encodeAnchor } from './list/anchor.ts'
import { ADDRESS_MAX, decodeKey, encodeKey, encodeValue, recordKey } from './row-key.ts'
import type { Anchor } from './source/row-source.ts'
import type { Table } from './source/schema.ts'
import type { KeyValues } from './source/value.ts'

export type RowKeys = {
  /** The key in the address of the row's page; `null` for a row without one. */
  record(key: KeyValues): string | null
  /** A text that tells the row from all others, also where it has no page. */
  name(key: KeyValues): string
  /** The key that an address names; `null` if no row can have it. */
  read(text: string): KeyValues | null
  /** The key as people are shown it. */
  shown(key: KeyValues): readonly string[]
  /** A place in an order as a text; `null` if there is none that fits an address. */
  anchor(anchor: Anchor): string | null
  /** Throws `TABLE_BAD_PLACE` unless the text is a place with this many sort values. */
  readAnchor(text: string, sortLength: number): Anchor
}

/** With a `sealer`, the key is a secret, and nothing that leaves the server may contain it. */
export const rowKeys = (table: Table, sealer?: Sealer): RowKeys =>
  sealer ? sealedKeys(table, sealer) : plainKeys(table)

const plainKeys = (table: Table): RowKeys => ({
  record: (key) => recordKey(key, table),
  name: encodeKey,
  read: (text) => decodeKey(text, table),
  shown: (key) => key.map((value) => (typeof value === 'string' ? value : encodeValue(value))),
  anchor: encodeAnchor,
  readAnchor: (text, sortLength) => decodeAnchor(text, sortLength, table.key.length),
})

/** Characters of a sealed key that people are shown: enough to tell the rows of a page apart. */
const SHOWN = 10

/** A key always gets the same text, so that links stay valid and a page can be compared with the next. */
function sealedKeys(table: Table, sealer: Sealer): RowKeys {
  const [rows, places] = [`row of ${table.name}`, `place in ${table.name}`]
  const name = (key: KeyValues) => sealer.seal(rows, encodeKey(key))
  return {
    record(key) {
      const text = recordKey(key, table) === null ? null : name(key)
      return text !== null && text.length <= ADDRESS_MAX ? text : null
    },
    name,
    read(text) {
      const key = sealer.open(rows, text)
      return key === undefined ? null : decodeKey(key, table)
    },
    shown: (key) => [`${name(key).slice(0, SHOWN)}…`],
    anchor(anchor) {
      const text = encodeAnchor(anchor)
      const sealed = text === null ? null : sealer.seal(places, text)
      return sealed !== null && sealed.length <= ANCHOR_MAX ? sealed : null
    },
    // A text that cannot be opened is no place of this table.
    readAnchor: (text, sortLength) =>
      decodeAnchor(sealer.open(places, text) ?? '', sortLength, table.key.length),
  }
}
