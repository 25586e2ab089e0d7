/** The head of a listing: the table, how many rows it has, and whether they can be changed. */

import type { ReactNode } from 'react'
import type { TableView } from '../../protocol/table-view.ts'
import { ChangesButton, isSwitchable } from '../changes/changes-button.tsx'
import { laterPart } from '../later-part.tsx'
import { useIsLive } from '../use-loaded.ts'
import { Head } from '../parts/head.tsx'
import { Icon } from '../parts/icon.tsx'
import { ReadOnly } from '../parts/read-only.tsx'
import { useMessages } from '../parts/use-messages.ts'
import { totalText } from './total-text.ts'

type ListHeadProps = {
  component: string
  view: TableView
  /** The menu of saved views. */
  views: ReactNode
  menu: ReactNode
}

export function ListHead({ component, view, views, menu }: ListHeadProps) {
  const { list } = useMessages()
  return (
    <Head
      title={view.label}
      beside={
        <>
          <span className={view.total.kind === 'counting' ? 'total needs-script' : 'total'}>
            {totalText(view.total, list)}
          </span>
          {views}
          {view.help !== undefined && <About help={view.help} />}
          {useIsLive() && <LiveRows component={component} view={view} />}
        </>
      }
      end={
        <>
          {view.readOnly !== null && <ReadOnly reason={view.readOnly} />}
          {view.changes === 'refused' && isSwitchable(view) && (
            <ChangesButton component={component} />
          )}
          {view.newHref !== undefined && (
            <a className="btn main" href={view.newHref}>
              {list.create}
            </a>
          )}
          {menu}
        </>
      }
    />
  )
}

const LiveRows = laterPart(async () => (await import('../live/live-work.ts')).LiveRows)

const ABOUT_ID = 'about-table'

/** The table's declared help text. */
function About({ help }: { help: string }) {
  const { list } = useMessages()
  return (
    <>
      <button type="button" className="btn icon" popoverTarget={ABOUT_ID} aria-label={list.about}>
        <Icon name="about" />
      </button>
      <p id={ABOUT_ID} className="menu words" popover="auto">
        {help}
      </p>
    </>
  )
}
