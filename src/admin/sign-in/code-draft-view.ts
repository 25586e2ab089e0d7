/** Shows a new secret as a QR code and as text. */

import { encode } from 'uqr'
import type { CodeDraftView } from '../../protocol/second-factor-view.ts'
import type { CodeDraft } from '../accounts/second-factors.ts'

export function codeDraftView({ uri, secret, sealed }: CodeDraft): CodeDraftView {
  // The page draws what is left free around it.
  const { size, data } = encode(uri, { border: 0 })
  const dark = data.flatMap((row, y) =>
    row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])),
  )
  return {
    qr: { size, path: dark.join('') },
    secret: secret.replace(/.{4}(?!$)/g, '$& '),
    ...{ uri, sealed },
  }
}
