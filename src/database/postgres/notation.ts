/** How PostgreSQL writes placeholders and names. */

import type { Notation } from '../dialect.ts'

export const notation: Notation = {
  placeholder: (position) => `$${position}`,
  quote: (name) => `"${name.replaceAll('"', '""')}"`,
}
