/** Whether what was typed is the number that confirms a plan. */

const digits = (text: string): string => text.replaceAll(/\P{Nd}/gu, '')

/** With the separators of its digits, without them, or with others. */
export const isTyped = (text: string, asked: string): boolean =>
  text.trim() === asked ||
  (digits(asked) !== '' && /^[\p{Nd}\s.,’']+$/u.test(text) && digits(text) === digits(asked))
