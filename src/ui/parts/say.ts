/** Copy that the server sends with a view, as templates. */

/** Puts values in the places of `{0}` and `{1}`. */
export const say = (template: string | undefined, ...values: readonly string[]): string =>
  (template ?? '').replace(/\{([01])\}/g, (_, place: string) => values[Number(place)] ?? '')
