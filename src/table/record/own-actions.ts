/** Actions of a table's own on the row of a page: offered, planned and written as for a selection of one row. */

import * as v from 'valibot'
import type { FieldInput } from '../../protocol/form-view.ts'
import type { BulkOffer, SealResult, WriteResult } from '../../protocol/plan-view.ts'
import { AppError } from '../../server/app-error.ts'
import type { LoadContext } from '../../server/component/component.ts'
import type { OpenTable } from '../catalog.ts'
import { ownSchema } from '../plans/ask-schema.ts'
import type { Asking, PlanServices } from '../plans/asking.ts'
import { ownForm, ownOffers } from '../plans/own-action.ts'
import { sealPlan } from '../plans/seal.ts'
import { dropPlan, writePlan } from '../plans/write-plan.ts'
import { assertSelection, hasSelection, keysPredicate } from '../selection.ts'
import type { RecordState } from './state.ts'

type Services = Pick<Asking, 'source' | 'catalog' | 'door' | 'href'> & {
  readonly plans?: PlanServices | undefined
}

type RowContext = LoadContext<RecordState, { readonly key: string }, OpenTable>

/** What the actor may run on the row; none where nothing keeps its plan. */
export function ownOffersOf(
  open: OpenTable,
  { plans }: Services,
): { readonly own?: NonNullable<BulkOffer['own']> } {
  const own = plans && hasSelection(open) ? ownOffers(open) : []
  return own.length > 0 ? { own } : {}
}

const handle = v.pipe(v.string(), v.maxLength(200))
const typedSchema = v.nullable(v.pipe(v.string(), v.maxLength(40)))

/** Each asks anew what the actor may. */
export const ownActions = (services: Services) => ({
  bulkForm: {
    kind: 'query' as const,
    args: v.strictTuple([ownSchema.name]),
    run: async (context: RowContext, name: string): Promise<FieldInput[]> =>
      ownForm(askingOf(services, context).open, name),
  },
  /** Changes nothing but what Tablewire keeps; asked twice, there are two plans. */
  seal: {
    kind: 'query' as const,
    args: v.strictTuple([ownSchema.name, ownSchema.texts]),
    run(
      context: RowContext,
      name: string,
      texts: { readonly [field: string]: string | null },
    ): Promise<SealResult> {
      const asking = askingOf(services, context)
      const row = keysPredicate([context.params.key], asking.open)
      return sealPlan(asking, row, { do: 'own', name, texts })
    },
  },
  writePlan: {
    kind: 'write' as const,
    args: v.strictTuple([handle, typedSchema]),
    run: (context: RowContext, plan: string, typed: string | null): Promise<WriteResult> =>
      writePlan(askingOf(services, context), plan, typed),
  },
  dropPlan: {
    kind: 'query' as const,
    args: v.strictTuple([handle]),
    run: (context: RowContext, plan: string) => dropPlan(askingOf(services, context), plan),
  },
})

/** Throws `TABLE_NO_SELECTION` where rows cannot be selected, and `NOT_FOUND` where no plans are kept. */
function askingOf({ plans, ...services }: Services, context: RowContext): Asking {
  const { actor, lineage, opened: open, signal, source: ownSource } = context
  assertSelection(open)
  if (!plans) throw new AppError('NOT_FOUND')
  const { locale, language, timeZone } = context
  const reader = { locale, language, timeZone }
  const { source, catalog, door, href } = services
  return {
    ...{ actor, lineage, open, reader, signal, ownSource, plans },
    ...{ source, catalog, door, href },
  }
}
