/** Text as it is, with quiet marks for what would not be seen: spaces at its ends, line breaks. */

/** Ends the text of a cell that the server has cut. */
export const CUT_MARK = '…'

/** What is not seen where it stands. */
export const UNSEEN = /(^[^\S\r\n]+|[^\S\r\n]+$|\r\n|[\r\n])/

/** The marks are drawn by the style sheet: whoever copies or hears the text gets what it is. */
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
