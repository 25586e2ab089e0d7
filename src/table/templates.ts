/** Copy that travels to the browser with a view, where the first script has no room for it. */

type Word = string | ((...values: string[]) => string)

/** The copy as texts in which `{0}` and `{1}` stand for values: functions do not travel. */
export const templates = (words: { readonly [name: string]: Word }): { [name: string]: string } =>
  Object.fromEntries(
    Object.entries(words).map(([name, word]) => [
      name,
      typeof word === 'string' ? word : word('{0}', '{1}'),
    ]),
  )
