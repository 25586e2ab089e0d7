/** What was entered and is not saved, with what is wrong beside each of it. */

import { messagesFor } from '../../messages/messages.ts'
import { AppError } from '../../server/app-error.ts'
import type { Reader } from '../../server/http/locale.ts'
import { own } from '../../table/definition/define-table.ts'
import { timeOf } from '../../table/history/moments.ts'
import type { CorrectionConflict } from './corrections.ts'
import type { RefusedForm } from './draw.ts'
import { changedIn, type CorrectionForm, type Entered, type PartFault, pairsIn } from './form.ts'

/** Default: what is not saved is compared with what the page showed of it. */
export type RefusedOptions = {
  /** Whoever is told that somebody has changed it has seen that; of what else was changed, the next save tells. */
  readonly isTold?: boolean
}

export function refusedOf(
  form: CorrectionForm,
  about: Entered,
  faults: readonly PartFault[],
  reader: Reader,
  { isTold = false }: RefusedOptions = {},
): RefusedForm {
  const entered = changedIn(form, about)
  const errors = faults.map(({ part, at, detail }) => {
    const text = new AppError('REQUEST_INVALID', { detail }).detailFor(reader) ?? ''
    return { part, text, ...(at && { at }) }
  })
  const seen = Object.entries(form.seen).filter(([part]) => !isTold && Object.hasOwn(entered, part))
  return {
    ...{ entered, errors, seen: Object.fromEntries(seen) },
    ...(entered.values !== undefined && { pairs: pairsIn(form) }),
  }
}

/** Who has changed what meanwhile, and how to save nevertheless. */
export function conflictText({ last }: CorrectionConflict, reader: Reader): string {
  const { corrections: words } = messagesFor(reader.language)
  const part = own<string>(words.parts, last.part) ?? last.part
  return words.changed(part, last.byName, timeOf(last.at, reader))
}
