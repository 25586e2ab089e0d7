/** What hangs on a row that is to be deleted, and whether it can be brought back. */

import type { HangingView } from '../../protocol/form-view.ts'

export const HangingLines = ({ hanging }: { hanging: HangingView }) => (
  <>
    {hanging.lines.map(({ text, href }) => (
      <p key={href}>
        <a className="link" href={href}>
          {text}
        </a>
      </p>
    ))}
    {!hanging.isRefused && hanging.afterwards !== null && <p>{hanging.afterwards}</p>}
  </>
)
