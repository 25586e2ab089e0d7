/** Content of your page that reaches from edge to edge, such as a map. */

import type { ReactNode } from 'react'

export const FullWidth = ({ children }: { children: ReactNode }) => (
  <div className="full-width">{children}</div>
)
