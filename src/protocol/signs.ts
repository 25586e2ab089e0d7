/** Characters that are invisible or look like others: which ones are marked, and how they are spelled out. */

/** Format and control characters, and letters and blanks that nobody sees. */
const SEEN_BY_NOBODY = String.raw`\p{Cf}\p{Cc}\u2028\u2029\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0`

/** Line breaks, which text is laid out by, and format characters that are drawn, such as signs of a year. */
const DRAWN = String.raw`\t\n\r\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}`

/** Scripts that are spelled with joiners. */
const JOINED = `[${[
  'Arab',
  'Syrc',
  'Mong',
  'Nkoo',
  'Deva',
  'Beng',
  'Guru',
  'Gujr',
  'Orya',
  'Taml',
  'Telu',
  'Knda',
  'Mlym',
  'Sinh',
  'Khmr',
  'Mymr',
]
  .map((script) => String.raw`\p{sc=${script}}`)
  .join('')}]`

/** Joiners within a word of such a script or within an emoji, and the tags of a flag. */
const NEEDED = [
  String.raw`(?<=${JOINED}\p{M}*)[\u200c\u200d](?=${JOINED})`,
  String.raw`(?<=[\p{ExtPict}\p{EMod}\ufe0f])\u200d(?=\p{ExtPict})`,
  String.raw`(?<=\u{1f3f4}[\u{e0020}-\u{e007e}]*)[\u{e0020}-\u{e007f}]`,
].join('|')

/** Greek letters that stand beside Latin ones in units and formulas, and look like none of them. */
const IN_UNITS = 'ΔΘΛΞΠΣΦΨΩδθλμπσφψω'

const LATIN = String.raw`\p{sc=Latn}[\p{M}\d_]*`
const OTHERS = String.raw`[\p{sc=Cyrl}\p{sc=Grek}\p{sc=Armn}\p{sc=Cher}]`
const LOOKALIKES = String.raw`(?:(?![${IN_UNITS}])${OTHERS})`

/** Letters of other scripts in a word of Latin ones, which they may be taken for. */
const MIXED = String.raw`(?=${OTHERS})(?:(?<=${LATIN})${LOOKALIKES}+|(?<!${OTHERS})${LOOKALIKES}+(?=[\p{M}\d_]*\p{sc=Latn}))`

/** Asks first what is quick to tell: most characters are none of these. */
const UNSEEN = String.raw`(?=[${SEEN_BY_NOBODY}])(?![${DRAWN}]|${NEEDED})[^]`

/** What is drawn as a mark, as the source of a regular expression with the flag `u`. */
export const SIGN = `${UNSEEN}|${MIXED}`

/** Nothing can be a sign in a text without any of these: quick to tell, as most texts have none. */
const CANDIDATE = new RegExp(String.raw`[${SEEN_BY_NOBODY}\p{sc=Latn}]`, 'u')

/** Whether a text may hold a sign, by its letters alone. */
export const mayHoldSigns = (text: string): boolean => CANDIDATE.test(text)

const INVISIBLE = new RegExp(UNSEEN, 'gu')

/** `U+202E` for the first character of a text. */
export const codeOf = (text: string): string =>
  `U+${(text.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`

/** The text with all that nobody sees spelled out, for places that hold nothing but text. */
export const spelled = (text: string): string =>
  text.replace(INVISIBLE, (sign) => (sign === '\u00ad' ? '' : `[${codeOf(sign)}]`))
