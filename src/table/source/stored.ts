/** Whether a value that is given is what a column holds: there are several spellings of one. */

import { calculated } from './exact.ts'
import { type Column, withoutPadding } from './schema.ts'
import { isSame, type Value } from './value.ts'

/** What is known of the column decides what its database would keep of the value. */
type Holding = Pick<Column, 'type' | 'array' | 'scale' | 'isPadded' | 'isSingle' | 'zoned'> &
  Partial<Pick<Column, 'namedScale'>>

/** Whether the column would hold what it holds, in whichever of its spellings a value is given. */
export function isStored(column: Holding, held: Value, given: Value): boolean {
  if (isSame(held, given)) return true
  if (held === null || given === null || column.array) return false
  if (held instanceof Uint8Array || given instanceof Uint8Array) return false
  switch (column.type) {
    case 'integer':
    case 'decimal':
      if (areApart(column, held, given)) return false
      if (keepsZeros(column, held) || keepsZeros(column, given)) return false
      return isNumber(held) && isNumber(given) && exact(column, held) === exact(column, given)
    case 'float':
      // A text is none, though SQLite keeps it there, and an empty one is not 0.
      return typeof held !== 'string' && asFloat(column, held) === asFloat(column, given)
    case 'boolean':
      return typeof held !== 'string' && Number(held) === Number(given)
    case 'text':
      return texts(column, String(held)) === texts(column, String(given))
    case 'date':
    case 'time':
    case 'datetime':
      return moment(column, String(held)) === moment(column, String(given))
    case 'json':
    case 'binary':
      return false
  }
}

const isNumber = (value: Value): value is number | bigint | string =>
  typeof value === 'number' || typeof value === 'bigint' || typeof value === 'string'

/** Whether the digits need not be looked at to tell two numbers apart. */
const areApart = ({ scale = 0 }: Holding, one: Value, other: Value): boolean =>
  typeof one === 'number' && typeof other === 'number' && Math.abs(one - other) > 10 ** -scale

/** A type without a number of digits keeps zeros at the end. */
const keepsZeros = ({ type, scale, namedScale }: Holding, given: Value): boolean =>
  type === 'decimal' && (scale ?? namedScale) === undefined && /\.\d*0$/.test(String(given))

/** Without blanks that are no part of it. */
const texts = ({ isPadded }: Holding, text: string): string =>
  isPadded ? withoutPadding(text) : text

/** A text that is no number is itself. */
const exact = ({ type, scale }: Holding, value: number | bigint | string): string =>
  calculated(value, 'add', 0, type === 'integer' ? 0 : scale) ?? String(value)

const asFloat = ({ isSingle }: Holding, value: Value): number =>
  isSingle ? Math.fround(Number(value)) : Number(value)

const TIME = /^((?:\S+ )?-?\d{1,3}:\d{2})(:\d{2})?(\.\d+)?\s?(Z|UTC|[+-]\d{2}(?::?\d{2})?)?$/

/**
 * A moment in one spelling: with seconds, without zeros at the end of them, and in UTC where its column has a zone. A
 * text of another form is itself.
 */
function moment({ type, zoned = false }: Holding, text: string): string {
  if (type === 'date') return text
  const spaced = text.trim().replace(/(\d)T(\d)/, '$1 $2')
  const whole = /^\d{4}-\d{2}-\d{2}$/.test(spaced) ? `${spaced} 00:00` : spaced
  const [, until, seconds = ':00', fraction = '', offset = ''] = TIME.exec(whole) ?? []
  if (until === undefined || (offset !== '' && !zoned)) return text
  const digits = fraction.replace(/\.?0+$/, '')
  if (!zoned || type === 'time') return `${until}${seconds}${digits}${offsetOf(offset)}`
  const at = Date.parse(`${until.replace(' ', 'T')}${seconds}${offsetOf(offset)}`)
  return Number.isNaN(at) ? text : `${at}${digits}`
}

/** In full; without one, that of UTC. */
function offsetOf(offset: string): string {
  const [, sign = '+', hours = '00', minutes = '00'] =
    /^([+-])(\d{2}):?(\d{2})?$/.exec(offset) ?? []
  return `${hours === '00' && minutes === '00' ? '+' : sign}${hours}:${minutes}`
}
