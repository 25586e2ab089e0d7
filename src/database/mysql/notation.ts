/** How MySQL and MariaDB write placeholders and names. */

import type { Notation } from '../dialect.ts'

export const notation: Notation = {
  placeholder: () => '?',
  quote: (name) => `\`${name.replaceAll('`', '``')}\``,
}
