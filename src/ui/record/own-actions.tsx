/** The menu of a row's page with the actions of its table's own: planned and confirmed as for a selection of one row. */

import { useCallback, useEffect, useRef, useState } from 'react'
import type { RecordComponent, RecordView } from '../../protocol/record-view.ts'
import { useComponent } from '../../react/use-component.ts'
import { createFlow } from '../bulk/flow.ts'
import type { Opened } from '../bulk/use-bulk.tsx'
import { useBulkWords } from '../bulk/use-bulk-words.ts'
import { useVoidAfterMove } from '../bulk/use-void-after-move.ts'
import { type Verb, verbsOf } from '../bulk/verbs.ts'
import { useCommands } from '../commands/commands.tsx'
import { useRefresh, useTellDone } from '../history/use-undo.ts'
import { laterPart } from '../later-part.tsx'
import { Icon } from '../parts/icon.tsx'
import { Menu } from '../parts/menu.tsx'
import { Shown } from '../parts/plain-text.tsx'
import { useNotify } from '../parts/toasts.tsx'

const BulkDialog = laterPart(async () => (await import('../bulk/bulk-dialog.tsx')).BulkDialog)

const MENU_ID = 'row-actions'

type Props = { component: string; view: RecordView }

export function OwnActions({ component, view: { table, own = [] } }: Props) {
  const words = useBulkWords()
  const [opened, open] = useState<Opened | null>(null)
  const close = useCallback(() => open(null), [])
  useVoidAfterMove(opened?.flow, close)
  const flowOf = useFlow(component)
  const verbs = verbsOf({ own }, words)
  const begin = (verb: Verb) => {
    // The dialog gives the focus back to the button.
    document.getElementById(`${MENU_ID}-menu`)?.hidePopover()
    open({ begun: verb.begin, count: '1', flow: flowOf(verb) })
  }
  useCommands(
    words.row,
    verbs.map((verb) => ({ label: verb.label.replace(/…$/, ''), run: () => begin(verb) })),
  )
  if (verbs.length === 0) return null
  return (
    <>
      <Menu
        id={MENU_ID}
        label={words.actions}
        className="btn icon needs-script"
        face={<Icon name="more" />}
      >
        {verbs.map((verb) => (
          <button
            key={verb.id}
            type="button"
            role="menuitem"
            className="item"
            onClick={() => begin(verb)}
          >
            <Shown text={verb.label} />
          </button>
        ))}
      </Menu>
      {opened && <BulkDialog {...{ component, table, close }} {...opened} />}
    </>
  )
}

/** The steps of an action on the row, which is drawn anew once they have written. */
function useFlow(component: string) {
  const { call, cancellable } = useComponent<RecordComponent>(component)
  const notify = useNotify()
  const tellDone = useTellDone()
  const refresh = useRefresh()
  const latest = useRef({ notify, tellDone, refresh })
  useEffect(() => {
    latest.current = { notify, tellDone, refresh }
  })
  return useCallback(
    ({ begin: begun }: Verb) => {
      const flow = createFlow({
        calls: {
          async seal(_row, ask, signal) {
            if (ask.do !== 'own')
              throw new TypeError('Only actions of the table’s own are asked for.')
            return cancellable(signal).seal(ask.name, ask.texts)
          },
          tryPlan: () => Promise.reject(new TypeError('What they do is their own.')),
          writePlan: (handle, typed) => call.writePlan(handle, typed),
          dropPlan: (handle) => call.dropPlan(handle),
        },
        ...{ selected: [], hasForm: begun.form !== null },
        tell(result) {
          const { notify: say, tellDone: done, refresh: drawAnew } = latest.current
          if (result.status === 'done') done(result.text, result.entry)
          else say(result.text)
          // The page's failure display says what went wrong.
          drawAnew().catch(() => undefined)
        },
      })
      if (begun.form === null) void flow.seal(begun.ask)
      return flow
    },
    [call, cancellable],
  )
}
