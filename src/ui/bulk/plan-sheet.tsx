/** A sealed plan: which rows are written and how, what is refused, and the seal; tried or written from here. */

import { useEffect, useRef, useState } from 'react'
import type { PlanView } from '../../protocol/plan-view.ts'
import { isTyped } from '../../protocol/typed.ts'
import { useBulkWords } from './use-bulk-words.ts'
import type { Flow, PlanStep } from './flow.ts'
import { Waiting } from './form-acts.tsx'
import { PlanBody, triedTitle } from './plan-body.tsx'

type Props = {
  flow: Flow
  step: PlanStep
  /** Whether a form can be gone back to. */
  hasForm: boolean
  /** Whether rows go. */
  isDangerous: boolean
}

export function PlanSheet(props: Props) {
  const { step } = props
  const { plan: words } = useBulkWords()
  const { plan, tried } = step
  const body = useRef<HTMLDivElement>(null)
  const isBusy = step.is !== 'sealed'
  // What is read first is the plan; no key that was pressed for something else writes it.
  useEffect(() => {
    if (!isBusy) body.current?.focus()
  }, [isBusy])
  return (
    <>
      <p className="lead">{words.lead}</p>
      <div ref={body} className="body" tabIndex={0} role="region" aria-label={words.region}>
        <PlanBody plan={plan} tried={tried} />
      </div>
      {step.is === 'trying' && <Waiting text={words.trying} />}
      {step.is === 'writing' && <Waiting text={words.writing} more={words.writingLong} />}
      <PlanActs {...props} />
      <p className="sr" role="status">
        {step.is === 'sealed' && (tried ? triedTitle(tried, words) : words.ready)}
      </p>
    </>
  )
}

/** Enter writes nothing, but leads from what is typed to the button that does. */
function PlanActs({ flow, step, hasForm, isDangerous }: Props) {
  const { plan: words } = useBulkWords()
  const { plan, tried } = step
  const write = useRef<HTMLButtonElement>(null)
  const [typed, setTyped] = useState('')
  const isConfirmed = plan.typed === null || isTyped(typed, plan.rows, plan.typed)
  const isBusy = step.is !== 'sealed'
  const mayWrite = plan.rows > 0 && tried?.status !== 'refused'
  if (step.is === 'writing')
    return (
      <div className="acts">
        <span className="sp" />
        <button type="button" className="btn tall" onClick={flow.close}>
          {words.close}
        </button>
      </div>
    )
  return (
    <div className="acts">
      {mayWrite && plan.typed !== null && (
        <Typed
          plan={plan}
          typed={typed}
          setTyped={setTyped}
          enter={() => isConfirmed && write.current?.focus()}
        />
      )}
      <span className="sp" />
      <button type="button" className="btn tall" onClick={flow.close}>
        {words.cancel}
      </button>
      {hasForm && (
        <button type="button" className="btn tall line" disabled={isBusy} onClick={flow.back}>
          {words.back}
        </button>
      )}
      {plan.canTry && plan.rows > 0 && (
        <button
          type="button"
          className="btn tall line"
          disabled={isBusy}
          onClick={() => void flow.tryFirst()}
        >
          {tried ? words.tryAgain : words.tryFirst}
        </button>
      )}
      {mayWrite && (
        <button
          ref={write}
          type="button"
          className={isDangerous ? 'btn tall main bad' : 'btn tall main'}
          disabled={isBusy || !isConfirmed}
          onClick={() => void flow.write(plan.typed === null ? null : typed)}
        >
          {plan.write}
        </button>
      )}
    </div>
  )
}

type TypedProps = {
  plan: PlanView
  typed: string
  setTyped(text: string): void
  enter(): void
}

function Typed({ plan: { typed: number }, typed, setTyped, enter }: TypedProps) {
  const { plan: words } = useBulkWords()
  return (
    <label className="typed">
      <span aria-hidden="true">
        {words.typed} <b>{number}</b>
      </span>
      <input
        className="in num"
        inputMode="numeric"
        autoComplete="off"
        aria-label={words.typedLabel(number ?? '')}
        value={typed}
        onChange={({ currentTarget: { value } }) => setTyped(value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return
          event.preventDefault()
          enter()
        }}
      />
    </label>
  )
}
