/** Keeps texts from being run as formulas where a spreadsheet takes them in: an apostrophe stands before such a text. */

/** What spreadsheets take for the beginning of a formula, also in full width. */
export const FORMULA = /^[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/
/**
 * The same where a program that takes no commas for separators would begin a cell. A dash before a blank
 * begins a line of a list; a number is no formula.
 */
const FORMULA_WITHIN =
  /([;\t][\s"]*|[\r\n]"*(?!-\s))(?=[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])(?![+-]?(?:\d+(?:\.\d*)?|\.\d+)[ "]*(?:[;\t\r\n]|$))/g
const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)$/

/** `number`: what is no formula although a sign begins it. Default: a number as it is stored. */
export function withoutFormulas(text: string, number: RegExp = NUMBER): string {
  const begun = FORMULA.test(text) && !number.test(text) ? `'${text}` : text
  return begun.replace(FORMULA_WITHIN, "$1'")
}
