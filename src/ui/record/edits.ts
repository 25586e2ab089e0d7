/** What a person has typed into the fields of a form and not saved. */

/** Texts of fields by column; `null` is NULL. */
export type Texts = { readonly [column: string]: string | null }

/** The fields that were touched, and what each held when the person began to. */
export type Edits = { readonly texts: Texts; readonly seen: Texts }

export const NO_EDITS: Edits = { texts: {}, seen: {} }

/** The edits with another text; a field that holds again what is stored was not touched. */
export function edited(
  { texts, seen }: Edits,
  column: string,
  text: string | null,
  stored: string | null,
): Edits {
  if (text === stored) return { texts: without(texts, column), seen: without(seen, column) }
  return { texts: { ...texts, [column]: text }, seen: { [column]: stored, ...seen } }
}

/** Whether somebody else has changed a field since the person began to, and to something else. */
export const isContested = (
  { texts, seen }: Edits,
  column: string,
  stored: string | null,
): boolean => column in texts && stored !== seen[column] && stored !== texts[column]

/** The edits of somebody who knows what the field holds now, and wants their own text all the same. */
export const insisting = (
  { texts, seen }: Edits,
  column: string,
  stored: string | null,
): Edits => ({
  ...{ texts, seen: { ...seen, [column]: stored } },
})

function without(texts: Texts, column: string): Texts {
  const { [column]: _, ...others } = texts
  return others
}

export const isTexts = (found: unknown): boolean =>
  isObject(found) && Object.values(found).every((text) => text === null || typeof text === 'string')

export const isObject = (found: unknown): found is { readonly [name: string]: unknown } =>
  typeof found === 'object' && found !== null
