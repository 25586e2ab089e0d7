/** The start page of somebody who sees no table. */

import type { NoTablesView } from '../../protocol/admin-view.ts'
import { usePage } from '../../react/use-component.ts'
import { Blank } from '../parts/blank.tsx'
import { Head } from '../parts/head.tsx'
import { useMessages } from '../parts/use-messages.ts'

export function NoTablesPage({ why }: { why: NoTablesView }) {
  const { noTables, shell } = useMessages()
  const { url } = usePage()
  return (
    <>
      <Head title={shell.tables} />
      <Blank
        kind={why ? 'no-access' : 'none'}
        title={why?.title ?? noTables.title}
        text={why?.text ?? noTables.text}
      >
        <a className="btn line" href={url}>
          {noTables.reload}
        </a>
      </Blank>
    </>
  )
}
