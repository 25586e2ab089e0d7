/** Asks on the record's own page whether to delete it, as the dialog does where script runs. */

import { type HangingView, POSTED } from '../../protocol/form-view.ts'
import type { RecordView } from '../../protocol/record-view.ts'
import { usePage } from '../../react/use-component.ts'
import { useMessages } from '../parts/use-messages.ts'
import { HangingLines } from './hanging-lines.tsx'

type Props = {
  view: RecordView
  hanging: HangingView
  /** Why it was not deleted. */
  errors: readonly string[]
}

export function DeleteForm({ view, hanging, errors }: Props) {
  const mark = view.mayMark ? hanging.mark : undefined
  const mayDelete = view.mayDelete && !hanging.isRefused
  const { csrf, url } = usePage()
  const { editing, record } = useMessages()
  return (
    <form className="record-form" method="post" action={url} aria-label={hanging.title}>
      <input type="hidden" name="_token" value={csrf} />
      <h2>{hanging.title}</h2>
      {errors.map((text) => (
        <p key={text} className="err" role="alert">
          {text}
        </p>
      ))}
      {mark && <p>{mark.does}</p>}
      {mark && mayDelete && <p>{mark.otherwise}</p>}
      {view.mayDelete && <HangingLines hanging={hanging} />}
      <div className="acts">
        <a className="btn" href={view.listHref}>
          {/* Nothing is cancelled where nothing can be done. */}
          {mark || mayDelete ? editing.cancel : record.back}
        </a>
        {mark && (
          <button type="submit" className="btn main" name={POSTED.mark} value="on">
            {mark.button}
          </button>
        )}
        {mayDelete && (
          <button type="submit" className={mark ? 'btn line' : 'btn main bad'}>
            {mark ? mark.deleteButton : editing.delete}
          </button>
        )}
      </div>
    </form>
  )
}
