/** What a person has typed into the fields of a form and not saved. */

/** Texts of fields by column; `null` is NULL. */
export type Texts = { readonly [column: string]: string | null }

/** How fields are read, by column; those without one hold what is stored. */
export type Readings = { readonly [column: string]: string }

/** The fields that were touched, and what each held when the person began to. */
export type Edits = {
  readonly texts: Texts
  readonly seen: Texts
  /** How their fields were read when the person typed. Left out where none of them has a reading. */
  readonly readings?: Readings
}

export const NO_EDITS: Edits = { texts: {}, seen: {} }

/**
 * The edits with another text; a field that holds again what is stored was not touched. One that is read in another way
 * now is begun anew.
 */
export function edited(
  { texts, seen, readings = {} }: Edits,
  column: string,
  text: string | null,
  stored: string | null,
  reading?: string,
): Edits {
  const others = withReadings(without(readings, column))
  if (text === stored)
    return { texts: without(texts, column), seen: without(seen, column), ...others }
  const begun = readings[column] === reading ? seen : without(seen, column)
  return {
    ...{ texts: { ...texts, [column]: text }, seen: { [column]: stored, ...begun } },
    ...(reading === undefined ? others : { readings: { ...readings, [column]: reading } }),
  }
}

export const withReadings = (readings: Readings): Pick<Edits, 'readings'> =>
  Object.keys(readings).length > 0 ? { readings } : {}

type Read = { readonly name: string; readonly reading?: string }

/** How the texts that are saved are read: those that nobody has typed, as their fields are drawn. */
export const readingsOf = (
  fields: readonly Read[],
  { texts, readings }: Pick<Edits, 'texts' | 'readings'>,
): { [column: string]: string } => ({
  ...Object.fromEntries(
    fields.flatMap(({ name, reading }) =>
      reading === undefined || name in texts ? [] : [[name, reading]],
    ),
  ),
  ...readings,
})

/** Whether somebody else has changed a field since the person began to, and to something else. */
export const isContested = (
  { texts, seen }: Pick<Edits, 'texts' | 'seen'>,
  column: string,
  stored: string | null,
): boolean => column in texts && stored !== seen[column] && stored !== texts[column]

/** The edits of somebody who knows what the field holds now, and wants their own text all the same. */
export const insisting = (edits: Edits, column: string, stored: string | null): Edits => ({
  ...{ ...edits, seen: { ...edits.seen, [column]: stored } },
})

function without<Text>(
  texts: { readonly [column: string]: Text },
  column: string,
): { readonly [column: string]: Text } {
  const { [column]: _, ...others } = texts
  return others
}

export const isTexts = (found: unknown): boolean =>
  isObject(found) && Object.values(found).every((text) => text === null || typeof text === 'string')

export const isObject = (found: unknown): found is { readonly [name: string]: unknown } =>
  typeof found === 'object' && found !== null
