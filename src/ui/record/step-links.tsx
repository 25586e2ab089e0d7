/** The way back to the list that one came from, and to the rows before and after in it. */

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
    </nav>
  )
}

type StepProps = { icon: IconName; text: string; href: string | undefined; rel?: 'prev' | 'next' }

/** Where there is nowhere to go it stays in place, so that the focus does. */
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
