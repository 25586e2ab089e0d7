/** A bulk change from what is asked to what became of it: the steps of its dialog, apart from how they look. */

import { createObservable } from '../../client/observable.ts'
import type {
  BulkAsk,
  PlanView,
  Refusal,
  SealResult,
  TryResult,
  WriteResult,
} from '../../protocol/plan-view.ts'
import type { Selected } from '../../protocol/selection.ts'

export type FieldErrors = { readonly [field: string]: readonly string[] }

/** What was written, or is by a job. */
export type Written = Extract<WriteResult, { status: 'done' | 'started' | 'partly' }>

/** Why it was not written by this plan. */
export type Stopped = Exclude<WriteResult, Written>

/** A plan that was sealed, and what trying it has shown. */
type Sealed = { readonly plan: PlanView; readonly tried: TryResult | null }

/** A plan that is looked at, tried or written. */
export type PlanStep = Sealed & { readonly is: 'sealed' | 'trying' | 'writing' }

export type Step =
  /** A form is filled in; `errors` are those of the last time. */
  | { readonly is: 'asking'; readonly errors: FieldErrors }
  | { readonly is: 'sealing' }
  /** No plan could be made; `errors` is `null` where the page's failure display says why. */
  | { readonly is: 'failed'; readonly errors: FieldErrors | null }
  /** None of the rows can be written, however often it is asked. */
  | { readonly is: 'refused'; readonly refusal: Refusal }
  | PlanStep
  /** No answer came, so it may have been written or not. */
  | (Sealed & { readonly is: 'unknown'; readonly typed: string | null })
  | { readonly is: 'stopped'; readonly result: Stopped }
  /** It was written, but not all of it. */
  | { readonly is: 'left'; readonly result: Written }
  | { readonly is: 'closed' }

/** The actions of the list that it needs. */
export type PlanCalls = {
  /** Stops once `signal` is aborted. */
  seal(selected: Selected, ask: BulkAsk, signal: AbortSignal): Promise<SealResult>
  tryPlan(handle: string): Promise<TryResult>
  writePlan(handle: string, typed: string | null): Promise<WriteResult>
  dropPlan(handle: string): Promise<unknown>
}

type FlowOptions = {
  readonly calls: PlanCalls
  readonly selected: Selected
  /** Whether a form is filled in first. */
  readonly hasForm: boolean
  /** Called once it was written, and also with what stood in the way if nobody looks any more. */
  tell(result: WriteResult, isWatched: boolean): void
}

export type Flow = ReturnType<typeof createFlow>

export function createFlow({ calls, selected, hasForm, tell }: FlowOptions) {
  const step = createObservable<Step>(hasForm ? ASKING : { is: 'sealing' })
  let asked: BulkAsk | null = null
  /** Answers to what was asked before the person went on are dropped. */
  let turn = 0
  let sealing = new AbortController()

  const now = () => step.getState()
  const go = (next: Step) => {
    turn++
    sealing.abort()
    step.setState(next)
  }

  /** A plan that is not to be written is forgotten; if that fails, it expires. */
  const drop = (handle: string) => void calls.dropPlan(handle).catch(() => undefined)
  const dropShown = () => {
    const shown = now()
    if (shown.is === 'sealed' || shown.is === 'trying') drop(shown.plan.handle)
  }

  async function seal(ask: BulkAsk): Promise<void> {
    dropShown()
    asked = ask
    go({ is: 'sealing' })
    const mine = turn
    sealing = new AbortController()
    const result = await calls.seal(selected, ask, sealing.signal).catch(() => null)
    if (mine !== turn) return result?.status === 'sealed' ? drop(result.plan.handle) : undefined
    if (result?.status === 'sealed') go({ is: 'sealed', plan: result.plan, tried: null })
    else if (hasForm) go({ is: 'asking', errors: result?.errors ?? {} })
    else if (result?.refusal) go({ is: 'refused', refusal: result.refusal })
    else go({ is: 'failed', errors: result?.errors ?? null })
  }

  async function tryFirst(): Promise<void> {
    const shown = now()
    if (shown.is !== 'sealed') return
    go({ ...shown, is: 'trying' })
    const mine = turn
    const tried = await calls.tryPlan(shown.plan.handle).catch(() => shown.tried)
    if (mine === turn) go({ is: 'sealed', plan: shown.plan, tried })
  }

  /** Asked again with the same handle after a lost answer, it is written once all the same. */
  async function write(typed: string | null): Promise<void> {
    const shown = now()
    if (shown.is !== 'sealed' && shown.is !== 'unknown') return
    const { plan, tried } = shown
    go({ is: 'writing', plan, tried })
    const mine = turn
    const result = await calls.writePlan(plan.handle, typed).catch(() => null)
    const isWatched = mine === turn
    if (!result) return isWatched ? go({ is: 'unknown', plan, tried, typed }) : undefined
    if (isWritten(result) || !isWatched) tell(result, isWatched)
    if (!isWatched) return
    if (!isWritten(result)) go({ is: 'stopped', result })
    else go(isLookedAt(result) ? { is: 'left', result } : { is: 'closed' })
  }

  return {
    step,
    seal,
    tryFirst,
    write,
    /** Makes the plan of the same question once more. */
    anew: () => (asked ? seal(asked) : undefined),
    /** Leaves a plan for its form, or the dialog where there is none. */
    back() {
      dropShown()
      go(hasForm ? ASKING : { is: 'closed' })
    },
    /** Ends it; what is being written goes on. */
    close() {
      dropShown()
      go({ is: 'closed' })
    },
  }
}

export const isWritten = (result: WriteResult): result is Written =>
  result.status === 'done' || result.status === 'started' || result.status === 'partly'

/** Whether there is more to see of it than a sentence. */
const isLookedAt = (result: Written): boolean =>
  result.status === 'partly' || (result.status === 'done' && result.left !== null)

const ASKING: Step = { is: 'asking', errors: {} }
