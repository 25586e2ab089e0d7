/** The search of a table: a form before script runs, live afterwards. */

import { type KeyboardEvent, useEffect, useRef } from 'react'
import { SEARCH_MAX } from '../../protocol/constants.ts'
import type { TableComponent } from '../../protocol/table-component.ts'
import { useRuntime } from '../../react/runtime-context.tsx'
import { useLoading } from '../../react/use-loading.ts'
import { useCommands } from '../commands/commands.tsx'
import { HiddenInputs } from '../parts/hidden-inputs.tsx'
import { Icon } from '../parts/icon.tsx'
import { useMessages } from '../parts/use-messages.ts'
import type { Listing } from './use-listing.ts'

/** `component`: id of the listing. */
export function SearchBox({ component, listing }: { component: string; listing: Listing }) {
  const { view, field, search } = listing
  const isSearching = useLoading<TableComponent>(component, { property: 'search', delay: 'short' })
  const { keys, list } = useMessages()
  const { failures } = useRuntime()
  const box = useTypedBefore(field.value, search)
  const focus = () => box.current?.focus()
  // Declared here, it works even if the other keys of the list never come.
  useCommands(keys.table, [{ label: keys.search, keys: '/', icon: 'search', run: focus }])
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key !== 'Escape') return
    event.preventDefault()
    if (field.value) search('')
    // Keys of the list work again.
    else event.currentTarget.blur()
    // Why the search that is given up found nothing is over with it.
    if (failures.getState()?.kind === 'final') failures.dismiss()
  }
  return (
    <form
      role="search"
      className="wrap search"
      action={view.href}
      onSubmit={(event) => event.preventDefault()}
    >
      <HiddenInputs params={view.params} except="search" />
      <Icon name="search" />
      <input
        ref={box}
        id="search"
        className="in quiet"
        type="search"
        name="search"
        autoComplete="off"
        aria-label={list.search}
        aria-busy={isSearching || undefined}
        placeholder={list.search}
        maxLength={SEARCH_MAX}
        onKeyDown={onKeyDown}
        {...field}
      />
      <kbd className="needs-script" aria-hidden="true">
        /
      </kbd>
    </form>
  )
}

/** Searches for what was typed before script ran. */
function useTypedBefore(text: string, search: (text: string) => void) {
  const box = useRef<HTMLInputElement>(null)
  const drawn = useRef({ text, search })
  useEffect(() => {
    const typed = box.current?.value
    if (typed !== undefined && typed !== drawn.current.text) drawn.current.search(typed)
  }, [])
  return box
}
