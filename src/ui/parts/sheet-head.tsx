/** The title of a menu that is a sheet on a phone, where its button is covered, and a cross to close it. */

import { Icon } from './icon.tsx'
import { useMessages } from './use-messages.ts'

/** `closes`: id of the popover that it stands in. */
export function SheetHead({ title, closes }: { title: string; closes: string }) {
  const { shell } = useMessages()
  return (
    <header className="narrow">
      <h2>{title}</h2>
      <button
        type="button"
        className="btn icon"
        popoverTarget={closes}
        popoverTargetAction="hide"
        aria-label={shell.close}
      >
        <Icon name="close" />
      </button>
    </header>
  )
}
