/** Links back to the list, and to the previous and next row in it, and the row's place there. */

import type { RecordView } from '../../protocol/record-view.ts'
import { Icon, type IconName } from '../parts/icon.tsx'
import { useMessages } from '../parts/use-messages.ts'

export function StepLinks({ view }: { view: RecordView }) {
  const { record } = useMessages()
  return (
    <nav className="steps" aria-label={record.steps}>
      <Step icon="previous" text={record.back} href={view.listHref} />
      <Step icon="up" text={record.previous} href={view.previous} rel="prev" />
      <Step icon="down" text={record.next} href={view.next} rel="next" />
      {view.place !== undefined && (
        <span className="place">
          <span className="sr">{record.place} </span>
          {view.place}
        </span>
      )}
    </nav>
  )
}

type StepProps = { icon: IconName; text: string; href: string | undefined; rel?: 'prev' | 'next' }

/** Without a target it stays as a disabled link, so that the focus is not lost. */
function Step({ icon, text, href, rel }: StepProps) {
  const target =
    href === undefined
      ? { role: 'link', 'aria-disabled': true, tabIndex: -1 }
      : { href, ...(rel && { rel }) }
  return (
    <a className="btn" {...target}>
      <Icon name={icon} flip />
      <span className="t">{text}</span>
    </a>
  )
}
