/** The page on which a row is created. */

import type { FormComponent, PostedForm } from '../../protocol/form-view.ts'
import { useComponent } from '../../react/use-component.ts'
import { Head } from '../parts/head.tsx'
import { RecordForm } from '../record/form.tsx'

type Props = { form: string; posted: PostedForm | null }

export function NewRecordPage({ form, posted }: Props) {
  const { title } = useComponent<FormComponent>(form).view
  return (
    <>
      <Head title={title} />
      <RecordForm
        component={form}
        posted={posted}
        page={(fields) => (
          <div className="record" tabIndex={0} role="region" aria-label={title}>
            <div className="record-main">{fields}</div>
          </div>
        )}
      />
    </>
  )
}
