/** What is wrong with a value that somebody has entered for an action, in plain words. */

import type { StandardSchemaV1 } from '@standard-schema/spec'
import { messagesFor } from '../../messages/messages.ts'
import type { Reader } from '../../server/http/locale.ts'
import { formatterFor } from '../format.ts'

/** What a schema says of the values of a field, in terms of JSON Schema. */
export type Limits = {
  readonly format?: string | undefined
  readonly options?: readonly string[] | undefined
  readonly minLength?: number | undefined
  readonly maxLength?: number | undefined
  readonly minimum?: number | undefined
  readonly maximum?: number | undefined
  readonly exclusiveMinimum?: number | undefined
  readonly exclusiveMaximum?: number | undefined
}

/** What Valibot and Zod say by themselves: for programmers, and in English. */
const OF_LIBRARY =
  /^(Invalid [^:]+: (Expected|Received|expected|must) |Too (small|big): expected |Invalid (email address|URL|UUID)$)/

/** The words of whoever has written the schema, where there are some; else what its limits say of the value. */
export function issueText(
  { message }: StandardSchemaV1.Issue,
  of: { readonly limits: Limits | undefined; readonly value: unknown },
  reader: Reader,
): string {
  if (!OF_LIBRARY.test(message)) return message
  const { limits: words } = messagesFor(reader.language).form
  const { limits = {}, value } = of
  if (value === undefined || value === null) return words.needed
  if (limits.options) return words.listed
  const found =
    typeof value === 'string'
      ? lengthText(value, limits, reader)
      : typeof value === 'number' && rangeText(value, limits, reader)
  const ofFormat = Object.entries(words.formats).find(([format]) => format === limits.format)
  return found || (ofFormat?.[1] ?? words.other)
}

function lengthText(value: string, limits: Limits, reader: Reader): string | undefined {
  const { limits: words } = messagesFor(reader.language).form
  const { minLength: least = 0, maxLength: most = Infinity } = limits
  const amount = (count: number) => ({ count, text: formatterFor(reader).number(count) })
  if (value.length < least) return least === 1 ? words.needed : words.longer(amount(least))
  return value.length > most ? words.shorter(amount(most)) : undefined
}

function rangeText(value: number, limits: Limits, reader: Reader): string | undefined {
  const { limits: words, unreadable } = messagesFor(reader.language).form
  const { number } = formatterFor(reader)
  const { minimum, maximum, exclusiveMinimum: above, exclusiveMaximum: below } = limits
  if (minimum !== undefined && value < minimum) return words.least(number(minimum))
  if (maximum !== undefined && value > maximum) return words.most(number(maximum))
  if (above !== undefined && value <= above) return words.above(number(above))
  if (below !== undefined && value >= below) return words.below(number(below))
  return Number.isInteger(value) ? undefined : unreadable.whole
}
