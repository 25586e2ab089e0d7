/** The dialog of a bulk change, from its form to what became of it. */

import { type ReactNode, useEffect, useRef } from 'react'
import type { BulkAsk } from '../../protocol/plan-view.ts'
import { useStore } from '../../react/use-component.ts'
import { Modal } from '../parts/modal.tsx'
import { Shown } from '../parts/plain-text.tsx'
import { PICK_PAGE } from '../selection/pick-cells.tsx'
import { useBulkWords } from './use-bulk-words.ts'
import { FieldsForm } from './fields-form.tsx'
import type { Flow, Step } from './flow.ts'
import { Outcome, outcomeTitle } from './outcome.tsx'
import { OwnForm } from './own-form.tsx'
import { PlanSheet } from './plan-sheet.tsx'
import type { Opened } from './use-bulk.tsx'
import type { Begun } from './verbs.ts'

type Props = Opened & {
  component: string
  /** Name of the table. */
  table: string
  close(): void
}

export function BulkDialog(props: Props) {
  const { begun, flow, table, close } = props
  const words = useBulkWords()
  const step = useStore(flow.step)
  const isOver = step.is === 'closed'
  useEffect(() => {
    if (isOver) close()
  }, [isOver, close])
  useFocusLeft()
  if (isOver) return null
  const hasForm = begun.form !== null
  const isForm = step.is === 'asking' || (step.is === 'sealing' && hasForm)
  const asked = begun.form === 'own' ? begun.label : words.fields.title
  return (
    <Modal
      title={titleOf(step, isForm ? asked : null, words)}
      className="dialog plan"
      onClose={flow.close}
    >
      {/* What was typed is still there when a plan is gone back from. */}
      {hasForm && (
        <Kept isShown={isForm}>
          <BulkForm {...props} step={step} />
        </Kept>
      )}
      {!isForm && <StepSheet {...{ flow, step, begun, table }} />}
    </Modal>
  )
}

/** Keeps what stands in it while something else is shown; coming back, its first field has the focus. */
function Kept({ isShown, children }: { isShown: boolean; children: ReactNode }) {
  const kept = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const hasFocus = kept.current?.contains(document.activeElement) ?? true
    if (isShown && !hasFocus) kept.current?.querySelector<HTMLElement>('.in')?.focus()
  }, [isShown])
  return (
    <div ref={kept} className="kept" hidden={!isShown}>
      {children}
    </div>
  )
}

function BulkForm({ component, begun, count, flow, step }: Props & { step: Step }) {
  const shared = {
    component,
    errors: step.is === 'asking' ? step.errors : NO_ERRORS,
    isSealing: step.is === 'sealing',
    cancel: step.is === 'sealing' ? flow.back : flow.close,
    seal: (ask: BulkAsk) => void flow.seal(ask),
  }
  if (begun.form === 'own') return <OwnForm {...shared} name={begun.name} label={begun.label} />
  return <FieldsForm {...shared} count={count} />
}

const NO_ERRORS = {}

type StepSheetProps = { flow: Flow; step: Step; begun: Begun; table: string }

function StepSheet({ flow, step, begun, table }: StepSheetProps) {
  if (!('plan' in step) || step.is === 'unknown') return <Outcome {...{ flow, step, table }} />
  const isDangerous = begun.form === null && begun.ask.do === 'delete'
  return <PlanSheet {...{ flow, step, isDangerous }} hasForm={begun.form !== null} />
}

/** It is named “Review changes”, and shows what the plan does. */
function titleOf(step: Step, asked: string | null, words: ReturnType<typeof useBulkWords>) {
  if (asked !== null) return <Shown text={asked} />
  if (!('plan' in step) || step.is === 'unknown') return <Shown text={outcomeTitle(step, words)} />
  return (
    <>
      <span className="sr">{words.plan.name}: </span>
      <Shown text={step.plan.title} />
    </>
  )
}

/** The button that has opened it may be gone with the selection. */
function useFocusLeft(): void {
  useEffect(
    () => () => {
      if (document.activeElement === document.body) document.getElementById(PICK_PAGE)?.focus()
    },
    [],
  )
}
