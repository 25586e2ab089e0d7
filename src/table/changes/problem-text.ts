/** Why a change was not written, in words. */

import { messagesFor } from '../../messages/messages.ts'
import type { Reader } from '../../server/http/locale.ts'
import type { TableDefinition } from '../definition/table-definition.ts'
import { formatterFor } from '../format.ts'
import type { ChangeProblem } from './change.ts'

/** One sentence; that of a table's own rule, or of a trigger, as it is. */
export function problemText(
  { kind, columns, sentence, condition, limit = 0 }: Omit<ChangeProblem, 'place'>,
  definition: TableDefinition,
  reader: Reader,
): string {
  if (sentence !== undefined && sentence !== '') return sentence
  const { problems } = messagesFor(reader.language)
  const labels = columns.map((name) => definition.columns.get(name)?.label ?? name)
  const fields = new Intl.ListFormat(reader.locale).format(labels)
  const isAboutRow = labels.length === 0
  switch (kind) {
    case 'required':
      return isAboutRow ? problems.requiredSomewhere : problems.required(fields)
    case 'tooLong':
    case 'outOfRange':
    case 'tooPrecise':
      return problems[kind](fields, formatterFor(reader).number(limit))
    case 'reference':
      return isAboutRow ? problems.referred : problems.reference(fields)
    case 'conflict':
      return isAboutRow ? problems.rowConflict : problems.conflict(fields)
    case 'forbidden':
      return isAboutRow ? problems.forbidden : problems.forbiddenField(fields)
    case 'missing':
    case 'trigger':
    case 'ambiguous':
    case 'leaving':
    case 'view':
      return problems[kind]
    case 'notAllowed':
    case 'type':
    case 'unique':
      return isAboutRow ? problems.other : problems[kind](fields)
    case 'check': {
      const text = isAboutRow ? problems.other : problems.check(fields)
      return condition === undefined ? text : `${text} ${problems.asksFor(condition)}`
    }
    case 'rule':
    case 'other':
      return problems.other
  }
}
