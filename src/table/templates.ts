/** Copy that travels to the browser with a view, where the first script has no room for it. */

type Word = string | ((...values: string[]) => string)

/** The copy as texts in which `{0}` and `{1}` stand for values: functions do not travel. */
export const templates = <const Words extends { readonly [name: string]: Word }>(
  words: Words,
): Templates<Words> =>
  // Each name keeps its word, so the type holds.
  Object.fromEntries(
    Object.entries(words).map(([name, word]) => [
      name,
      typeof word === 'string' ? word : word('{0}', '{1}'),
    ]),
  ) as Templates<Words>

export type Templates<Words> = { [Name in keyof Words]: string }
