/** Says that a list shows the rows that a plan has left, by which reasons, and leads back to all rows. */

import type { LeftView } from '../../protocol/plan-view.ts'
import { useBulkWords } from '../bulk/use-bulk-words.ts'
import { Shown } from '../parts/plain-text.tsx'

export function LeftRows({ left }: { left: LeftView }) {
  const { left: words } = useBulkWords()
  return (
    <section className="chips reasons" aria-label={left.title}>
      <b>
        <Shown text={left.title} />
      </b>
      {/* Without its signs, a list is none for some screen readers. */}
      <ul role="list">
        {left.reasons.map(({ text, count, href, isShown }) => (
          <li key={text}>
            <a className="chip" href={href} aria-current={isShown || undefined}>
              <b>{count}</b> <Shown text={text} />
            </a>
          </li>
        ))}
        {left.otherReasons !== null && <li>{left.otherReasons}</li>}
      </ul>
      {left.wholeHref !== null && (
        <a className="plain" href={left.wholeHref}>
          {words.whole}
        </a>
      )}
      <a className="plain" href={left.allHref}>
        {words.all}
      </a>
    </section>
  )
}
