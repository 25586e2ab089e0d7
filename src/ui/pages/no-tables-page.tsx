/** The start page of a database without tables. */

import { usePage } from '../../react/use-component.ts'
import { Blank } from '../parts/blank.tsx'
import { Head } from '../parts/head.tsx'
import { useMessages } from '../parts/use-messages.ts'

export function NoTablesPage() {
  const { noTables, shell } = useMessages()
  const { url } = usePage()
  return (
    <>
      <Head title={shell.tables} />
      <Blank kind="none" title={noTables.title} text={noTables.text}>
        <a className="btn line" href={url}>
          {noTables.reload}
        </a>
      </Blank>
    </>
  )
}
