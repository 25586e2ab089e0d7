/** Tells how wide a text is in the table, because the server has no font to measure with. */

/**
 * Advances of IBM Plex Sans at 13 px and 95 % width, from the blank to the tilde, in tenths of a pixel. Digits
 * and the slash are as wide as where they are drawn in whole pixels, since a number must not be cut there.
 */
const ASCII = `
  30 36 54 91 76 118 88 31 43 43 58 76 35 51 35 50 80 80 80 80 80 80 80 80 80 80 37 37 76 76 76 61
  113 83 83 78 85 74 71 88 90 51 64 81 64 103 90 90 77 90 82 73 76 86 78 114 78 76 74 40 49 40 76 72
  76 68 74 63 74 70 41 68 72 32 32 67 34 111 72 71 74 74 47 61 44 72 63 98 65 64 59 44 40 44 76`
  .trim()
  .split(/\s+/)
  .map((tenths) => Number(tenths) / 10)

/** Advances of other letters, px, by groups of similar ones. */
const OTHERS: readonly (readonly [letters: RegExp, px: number])[] = [
  [/[ìíîïıłŀ’‘·°]/, 4.2],
  [/[“”„]/, 6.1],
  [/[—…≈]/, 10.9],
  [/[–€£¥×]/, 8],
  // Arrows, shapes, stars and other symbols, which come from a wider font.
  [/[\u2190-\u2bff]/, 13],
  // Scripts of full-width letters.
  [/[\u1100-\u11ff\u2e80-\ua4cf\uac00-\ud7af\uf900-\ufaff\uff00-\uff60\u{10000}-\u{10ffff}]/u, 13],
  [/\p{Lu}/u, 9],
]
const USUAL = 7.4

/** Width of `text` in the table, px; of letters beyond ASCII too wide rather than too narrow. */
export function textWidth(text: string): number {
  let px = 0
  for (let at = 0; at < text.length; at++) {
    const width = LATIN[text.charCodeAt(at)]
    if (width === undefined) return px + widthOfOthers(text.slice(at))
    px += width
  }
  return px
}

const letterWidth = (letter: string): number =>
  ASCII[letter.charCodeAt(0) - 32] ?? OTHERS.find(([letters]) => letters.test(letter))?.[1] ?? USUAL

/** Widths of Latin letters by code, since most letters are Latin. */
const LATIN = Array.from({ length: 0x250 }, (_, code) => letterWidth(String.fromCharCode(code)))

/** Goes by code points, since some letters are surrogate pairs. */
function widthOfOthers(text: string): number {
  let px = 0
  for (const letter of text) px += letterWidth(letter)
  return px
}
