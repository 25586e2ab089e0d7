/** Text with marks for what is invisible or looks like something else: what is seen is what is stored. */

import type { ReactNode } from 'react'
import type { Marks } from '../../protocol/table-view.ts'
import { codeOf, mayHoldSigns, SIGN } from '../../protocol/signs.ts'

/** Ends the text of a cell that the server has cut. */
export const CUT_MARK = '…'

/** Spaces at the ends, and line breaks. */
const BLANK = String.raw`^[^\S\r\n]+|[^\S\r\n]+$|\r\n|[\r\n]`

const BLANKS = new RegExp(BLANK)

/** Matches the invisible parts of a text, and letters that look like others. */
const UNSEEN = new RegExp(`(${BLANK}|${SIGN})`, 'u')

const LETTERS = '!-~¡-¬®-\u024f\u2010-\u2027\u2030-\u205e\u2190-\u27ff'

/** Western text without any of these, which most text is: it is told three times as fast. */
const PLAIN = new RegExp(`^(?:[${LETTERS}](?:[ ${LETTERS}]*[${LETTERS}])?)?$`)

/** Whether `plainText` draws marks in the text. */
export const hasMarks = (text: string): boolean =>
  !PLAIN.test(text) && (mayHoldSigns(text) ? UNSEEN.test(text) : BLANKS.test(text))

const SIGNS = new RegExp(`(${SIGN})`, 'u')

/** Longest text that is drawn with marks, characters: each is an element. */
const MARKED_MAX = 100_000

/** The style sheet draws the marks of blanks, so they are neither copied nor read aloud. */
export const plainText = (text: string, isCut = false, found?: Marks): ReactNode =>
  marked(isCut ? text + CUT_MARK : text, UNSEEN, found)

/** Characters at the end of a text that stay in sight where it has no room. */
const END_LENGTH = 10

/** Shows both ends of a text that has no room; one with marks is drawn as ever. */
export const bothEnds = (text: string): ReactNode =>
  text.length > END_LENGTH && PLAIN.test(text) ? (
    <span className="ends" dir="ltr">
      <span className="name">{text.slice(0, -END_LENGTH)}</span>
      <span>{text.slice(-END_LENGTH)}</span>
    </span>
  ) : (
    plainText(text)
  )

/** The text of a name or a whole value, whose direction changes nothing around it. */
export const Shown = ({ text }: { text: string }) =>
  PLAIN.test(text) ? text : <bdi>{marked(text, SIGNS)}</bdi>

/** The same where the text stands in a block of its own. */
export const Signed = ({ text }: { text: string }) => marked(text, SIGNS)

function marked(text: string, unseen: RegExp, found?: Marks): ReactNode {
  if (!found) {
    if (PLAIN.test(text) || text.length > MARKED_MAX) return text
    if (!(mayHoldSigns(text) ? unseen : BLANKS).test(text)) return text
  }
  let end = 0
  return text.split(unseen).map((piece, place) => {
    end += piece.length
    if (place % 2 === 1) return <Unseen key={place} text={piece} />
    return found ? withFound(piece, end - piece.length, found) : piece
  })
}

/** A piece of a text that begins at `from`, with what was found in the text. */
function withFound(piece: string, from: number, found: Marks): ReactNode[] {
  const ends = found.map((at) => Math.min(Math.max(at - from, 0), piece.length))
  return [0, ...ends].map((start, place) => {
    const part = piece.slice(start, ends[place])
    if (part === '') return null
    return place % 2 === 0 ? part : <mark key={from + start}>{part}</mark>
  })
}

function Unseen({ text }: { text: string }) {
  if (/[\r\n]/.test(text)) return <span className="unseen break">{text}</span>
  if (text === '\u00ad') return <span className="unseen hyphen">{text}</span>
  if (/\p{L}/u.test(text))
    return (
      <span className="mixed" data-sign={codeOf(text)}>
        {text}
      </span>
    )
  if (/\S/.test(text))
    return (
      <span className="unseen sign" data-sign={codeOf(text)}>
        {text}
      </span>
    )
  return [...text].map((space, place) => (
    <span key={place} className="unseen">
      {space}
    </span>
  ))
}
