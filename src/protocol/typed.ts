/** Whether what was typed is the number of rows that confirms a plan. */

const digits = (text: string): string => text.replaceAll(/\P{Nd}/gu, '')

/** `shown`: the number as its reader sees it. Its separators may be left out or be others, and its digits be 0 to 9. */
export const isTyped = (text: string, rows: number, shown: string): boolean =>
  text.trim() === shown ||
  (/^[\p{Nd}\s.,’'٬٫]+$/u.test(text) && [digits(shown), String(rows)].includes(digits(text)))
