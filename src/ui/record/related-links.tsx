/** Links to the listings of rows that refer to this one, with their counts. */

import type { RelatedView } from '../../protocol/record-view.ts'
import { totalText } from '../list/total-text.ts'
import { useMessages } from '../parts/use-messages.ts'
import { Shown } from '../parts/plain-text.tsx'

export function RelatedLinks({ related }: { related: readonly RelatedView[] }) {
  const { list, record } = useMessages()
  if (related.length === 0) return null
  return (
    <nav className="related" aria-label={record.related}>
      <ul>
        {related.map(({ label, href, count }) => (
          <li key={href}>
            <a href={href} className={isNone(count) ? 'none' : undefined}>
              <span className="name">
                <Shown text={label} />
              </span>{' '}
              <b className={count.kind === 'counting' ? 'needs-script' : undefined}>
                {count.kind === 'atLeast' ? count.text : totalText(count, list)}
              </b>
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}

const isNone = (count: RelatedView['count']) => 'count' in count && count.count === 0
