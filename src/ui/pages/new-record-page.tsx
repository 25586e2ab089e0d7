/** The page on which a row is created. */

import { usePage } from '../../react/use-component.ts'
import { Head } from '../parts/head.tsx'
import { RecordForm } from '../record/form.tsx'

export function NewRecordPage({ form }: { form: string }) {
  const { title } = usePage()
  return (
    <>
      <Head title={title} />
      <div className="record" tabIndex={0} role="region" aria-label={title}>
        <RecordForm component={form} />
      </div>
    </>
  )
}
