/** A new secret for an app: a QR code, and the same as text. */

import type { CodeDraftView } from '../../protocol/second-factor-view.ts'
import type { SecondWords } from './second-words.ts'

/** Squares that stay free around a QR code, so that cameras find it. */
const QUIET = 4

export function CodeDraft({ draft, words }: { draft: CodeDraftView; words: SecondWords }) {
  const { qr, secret, uri } = draft
  const side = qr.size + 2 * QUIET
  return (
    <div className="code-draft">
      <svg
        className="qr"
        role="img"
        aria-label={words.qr}
        viewBox={`${-QUIET} ${-QUIET} ${side} ${side}`}
        shapeRendering="crispEdges"
      >
        <path d={qr.path} />
      </svg>
      <div>
        <p>{words.scan}</p>
        <p className="hint">{words.byHand}</p>
        <p>
          <a className="secret" href={uri}>
            {secret}
          </a>
        </p>
      </div>
    </div>
  )
}
