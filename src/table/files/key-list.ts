/** What a column of files holds: one key of the storage, or several as a list, each of which may be an address instead. */

import type { FileColumn } from '../definition/file-column.ts'
import type { Value } from '../source/value.ts'

/** How several keys are one value: as a text of JSON, or as an array of PostgreSQL. */
export type ListForm = 'json' | 'array'

/**
 * The keys and addresses in a value, in order. A list whose text was cut has those that are whole. A column of a list
 * may hold a single key still, from before it was declared as one.
 */
export function keysIn({ list }: Pick<FileColumn, 'list'>, value: Value): readonly string[] {
  const text = value === null ? '' : String(value)
  if (text === '') return []
  if (list === 'array' && text.startsWith('{')) return itemsOf(text)
  return list !== undefined && text.startsWith('[') ? textsIn(text) : [text]
}

/** The value that holds these keys: `keysIn` reads the same ones from it. */
export const keyList = (keys: readonly string[], form: ListForm): string =>
  form === 'json' ? JSON.stringify(keys) : `{${keys.map(itemOf).join(',')}}`

/** A text of JSON, in its quotes. */
const TEXT = /\x22(?:[^\x22\\]|\\.)*\x22/g

function textsIn(json: string): readonly string[] {
  const all = parsed(json) ?? (json.match(TEXT) ?? []).map(parsed)
  return Array.isArray(all) ? all.filter((one) => typeof one === 'string') : []
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}

/** The items of an array as PostgreSQL writes it, up to where the text was cut. */
function itemsOf(text: string): readonly string[] {
  const items = [...text.matchAll(/[{,](?:"((?:[^"\\]|\\.)*)"|([^{},"]+))(?=[,}])/gsy)]
  return items.flatMap(([, quoted, plain]) =>
    quoted === undefined
      ? plain === 'NULL'
        ? []
        : (plain ?? [])
      : quoted.replace(/\\(.)/gs, '$1'),
  )
}

/** As PostgreSQL writes it, so that what was written equals what is read. */
const itemOf = (key: string): string =>
  /^[^\s{},"\\]+$/.test(key) && key.toUpperCase() !== 'NULL'
    ? key
    : `"${key.replace(/["\\]/g, '\\$&')}"`
