/** Estimates how wide a text is in the table, because the server has no font to measure with. */

/** Advances of IBM Plex Sans at 13 px and 95 % width, px, by groups of similar letters. */
const ADVANCES: readonly (readonly [letters: RegExp, px: number])[] = [
  [/[ ijlI.,:;'’|!()[\]]/, 3.8],
  [/[frt\-“”"/]/, 5.2],
  [/[mwMW@%]/, 10.8],
  [/[A-Z]/, 8.3],
  [/[0-9$€£≈]/, 7.4],
  // Arrows, shapes, stars and other symbols, which come from a wider font.
  [/[\u2190-\u2bff]/, 13],
  // Scripts of full-width letters.
  [/[\u1100-\u11ff\u2e80-\ua4cf\uac00-\ud7af\uf900-\ufaff\uff00-\uff60\u{10000}-\u{10ffff}]/u, 13],
]
const USUAL = 6.9

/** Width of `text` in the table, px; too wide rather than too narrow. */
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
  ADVANCES.find(([letters]) => letters.test(letter))?.[1] ?? USUAL

/** Widths of Latin letters by code, since most letters are Latin. */
const LATIN = Array.from({ length: 0x250 }, (_, code) => letterWidth(String.fromCharCode(code)))

/** Goes by code points, since some letters are surrogate pairs. */
function widthOfOthers(text: string): number {
  let px = 0
  for (const letter of text) px += letterWidth(letter)
  return px
}
