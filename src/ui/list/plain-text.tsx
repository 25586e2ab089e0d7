/** Text with subtle marks for what is invisible: spaces at its ends, and line breaks. */

/** Ends the text of a cell that the server has cut. */
export const CUT_MARK = '…'

/** Matches the invisible parts of a text. */
export const UNSEEN = /(^[^\S\r\n]+|[^\S\r\n]+$|\r\n|[\r\n])/

/** The style sheet draws the marks, so they are neither copied nor read aloud. */
export function PlainText({ text, isCut }: { text: string; isCut: boolean }) {
  const shown = isCut ? text + CUT_MARK : text
  if (!UNSEEN.test(shown)) return shown
  return shown
    .split(UNSEEN)
    .map((piece, place) => (place % 2 === 0 ? piece : <Unseen key={place} text={piece} />))
}

const Unseen = ({ text }: { text: string }) =>
  /[\r\n]/.test(text) ? (
    <span className="unseen break">{text}</span>
  ) : (
    [...text].map((space, place) => (
      <span key={place} className="unseen">
        {space}
      </span>
    ))
  )
