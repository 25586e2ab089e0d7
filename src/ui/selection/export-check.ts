/** Asks before an export, so that the page itself says why there is no file, where that is known beforehand. */

import { useEffect, useRef } from 'react'
import type { Selected } from '../../protocol/selection.ts'
import type { TableComponent } from '../../protocol/table-component.ts'
import { useComponent } from '../../react/use-component.ts'

/** Until it has loaded, the browser sends the form at once. */
export function useExportCheck(component: string, selected: Selected): void {
  const { call } = useComponent<TableComponent>(component)
  const checked = useRef<HTMLFormElement>(null)
  useEffect(() => {
    const check = (event: SubmitEvent) => {
      const { target: form, submitter } = event
      if (!(form instanceof HTMLFormElement) || !form.matches('[data-exports]')) return
      form.closest<HTMLElement>('[popover]')?.hidePopover()
      if (checked.current === form) return void (checked.current = null)
      event.preventDefault()
      const submit = () => {
        checked.current = form
        form.requestSubmit(submitter)
      }
      // The page's failure display says what went wrong.
      call.checkExport(selected).then(submit, () => undefined)
    }
    document.addEventListener('submit', check)
    return () => document.removeEventListener('submit', check)
  }, [call, selected])
}
