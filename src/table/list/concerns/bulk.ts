/** Changes to selected rows: what may be done with them, plans of it, and writing these. */

import * as v from 'valibot'
import type { FieldInput } from '../../../protocol/form-view.ts'
import type { BulkField } from '../../../protocol/plan-view.ts'
import type { TableView } from '../../../protocol/table-view.ts'
import { AppError } from '../../../server/app-error.ts'
import { askSchema } from '../../plans/ask-schema.ts'
import type { Asking } from '../../plans/asking.ts'
import { bulkFields, bulkOffer } from '../../plans/bulk-fields.ts'
import { ownForm } from '../../plans/own-action.ts'
import { sealPlan } from '../../plans/seal.ts'
import { tryPlan } from '../../plans/try-plan.ts'
import { dropPlan, writePlan } from '../../plans/write-plan.ts'
import {
  assertSelection,
  checkSelected,
  selectedPredicate,
  selectedSchema,
} from '../../selection.ts'
import { defineConcern, type ListContext } from '../concern.ts'

const name = v.pipe(v.string(), v.maxLength(200))
const handle = v.pipe(v.string(), v.maxLength(200))

export const bulk = defineConcern({
  name: 'bulk',
  state: {},
  initial: {},
  address: { names: [], owns: () => false, read: () => ({}), write: () => [] },
  actions: {
    bulkFields: {
      kind: 'query',
      args: v.strictTuple([]),
      async run(context): Promise<BulkField[]> {
        const { open, reader } = askingOf(context)
        return bulkFields(open, reader)
      },
    },
    bulkForm: {
      kind: 'query',
      args: v.strictTuple([name]),
      async run(context, action): Promise<FieldInput[]> {
        return ownForm(askingOf(context).open, action)
      },
    },
    /** Changes nothing but what Tablewire keeps; asked twice, there are two plans. */
    seal: {
      kind: 'query',
      args: v.strictTuple([selectedSchema, askSchema]),
      run(context, selected, ask) {
        const asking = askingOf(context)
        const checked = checkSelected(selected, asking.open)
        const named = selectedPredicate(checked, asking.open)
        return sealPlan(asking, { op: 'and', all: [...context.conditions(), named] }, ask)
      },
    },
    tryPlan: {
      kind: 'query',
      args: v.strictTuple([handle]),
      run: (context, plan) => tryPlan(askingOf(context), plan),
    },
    writePlan: {
      kind: 'write',
      args: v.strictTuple([handle, v.nullable(v.pipe(v.string(), v.maxLength(40)))]),
      run: (context, plan, typed) => writePlan(askingOf(context), plan, typed),
    },
    dropPlan: {
      kind: 'query',
      args: v.strictTuple([handle]),
      run: (context, plan) => dropPlan(askingOf(context), plan),
    },
  },
  view({ opened }): Pick<TableView, 'bulk'> {
    const offer = opened.services.plans && bulkOffer(opened)
    return offer ? { bulk: offer } : {}
  },
})

/** Throws `TABLE_NO_SELECTION` where no rows can be selected, and `NOT_FOUND` where no plans are kept. */
function askingOf(context: ListContext<object>): Asking {
  const { actor, lineage, opened: open, signal, locale, language, timeZone } = context
  const { plans, source, catalog, door, href } = open.services
  // What is asked for would be read by what may never be saved.
  if (open.isPreview)
    throw new AppError('TABLE_READ_ONLY', { detail: ({ rows }) => rows.isPreview })
  assertSelection(open)
  if (!plans) throw new AppError('NOT_FOUND')
  const reader = { locale, language, timeZone }
  const who = { actor, lineage, open, reader, signal }
  return { ...who, source, ownSource: context.source, catalog, door, plans, href }
}
