/** What is shown where there is no plan: while it is made, where none could be, and what became of one. */

import { type ReactNode, useEffect, useRef } from 'react'
import type { BulkWords } from '../../messages/bulk/words.ts'
import type { Refusal } from '../../protocol/plan-view.ts'
import { useRuntime } from '../../react/runtime-context.tsx'
import { Shown } from '../parts/plain-text.tsx'
import { keptName } from '../selection/use-selection.ts'
import { useBulkWords } from './use-bulk-words.ts'
import type { Flow, Step, Written } from './flow.ts'
import { Waiting } from './form-acts.tsx'
import { Columns, HangingLines, Part, ReasonRows, RefusedRows } from './plan-body.tsx'

/** The name of the dialog at such a step. */
export function outcomeTitle(step: Step, { plan, outcome }: BulkWords): string {
  switch (step.is) {
    case 'failed':
    case 'unknown':
      return outcome[step.is]
    case 'refused':
      return step.refusal.title
    case 'left':
      return outcome[step.result.status === 'partly' ? 'partly' : 'left']
    case 'stopped':
      return outcome[step.result.status]
    default:
      return plan.name
  }
}

type Props = { flow: Flow; step: Step; table: string }

export function Outcome({ flow, step, table }: Props) {
  const { plan, outcome } = useBulkWords()
  if (step.is === 'sealing')
    return (
      <>
        <div className="body">
          <Waiting text={plan.sealing} more={plan.sealingLong} />
        </div>
        <Acts flow={flow} />
      </>
    )
  if (step.is === 'failed')
    return (
      <>
        <Told>
          {Object.values(step.errors ?? { '': [outcome.failedText] })
            .flat()
            .map((text) => (
              <p key={text}>
                <Shown text={text} />
              </p>
            ))}
        </Told>
        <Acts flow={flow} main={outcome.again} run={flow.anew} />
      </>
    )
  if (step.is === 'refused') return <RefusedBody flow={flow} refusal={step.refusal} />
  if (step.is === 'unknown')
    return (
      <>
        <Told>
          <p>{outcome.unknownText}</p>
        </Told>
        <Acts flow={flow} main={outcome.ask} run={() => flow.write(step.typed)} />
      </>
    )
  if (step.is === 'left') return <Left {...{ flow, table }} result={step.result} />
  return step.is === 'stopped' ? <StoppedBody flow={flow} result={step.result} /> : null
}

/** What is told has the focus, so that it is read. */
function Told({ children }: { children: ReactNode }) {
  const body = useRef<HTMLDivElement>(null)
  useEffect(() => body.current?.focus(), [])
  return (
    <div ref={body} className="body" tabIndex={0} role="group">
      {children}
    </div>
  )
}

type ActsProps = { flow: Flow; main?: string; run?: () => unknown; isEnd?: boolean }

function Acts({ flow, main, run, isEnd = false }: ActsProps) {
  const { plan } = useBulkWords()
  return (
    <div className="acts">
      <span className="sp" />
      <button type="button" className="btn tall" onClick={flow.close}>
        {isEnd ? plan.close : plan.cancel}
      </button>
      {run && (
        <button type="button" className="btn tall main" onClick={() => void run()}>
          {main}
        </button>
      )}
    </div>
  )
}

/** Nothing but other rows, or other rights, would help. */
function RefusedBody({ flow, refusal }: { flow: Flow; refusal: Refusal }) {
  const { reasons, hanging, refused } = refusal
  return (
    <>
      <Told>
        {reasons.map((text) => (
          <p key={text}>
            <Shown text={text} />
          </p>
        ))}
        {hanging.length > 0 && <HangingLines lines={hanging} />}
        {refused.reasons.length > 0 && <RefusedRows {...refused} />}
      </Told>
      <Acts flow={flow} isEnd />
    </>
  )
}

type StoppedProps = { flow: Flow; result: Extract<Step, { is: 'stopped' }>['result'] }

function StoppedBody({ flow, result }: StoppedProps) {
  const { outcome } = useBulkWords()
  return (
    <>
      <Told>
        <p>
          <Shown text={result.text} />
        </p>
        {result.status === 'changed' && (
          <div className="cols even">
            {(['came', 'went', 'differ'] as const).map(
              (which) =>
                result[which].rows.length > 0 && (
                  <Rows
                    key={which}
                    title={outcome[which](result[which].count)}
                    rows={result[which].rows}
                  />
                ),
            )}
          </div>
        )}
        {result.status === 'refused' && <ReasonRows rows={result.rows} />}
      </Told>
      <Acts flow={flow} main={outcome.anew} run={flow.anew} />
    </>
  )
}

type RowsProps = { title: string; rows: readonly { key: string; label: string }[] }

const Rows = ({ title, rows }: RowsProps) => (
  <Part title={title}>
    <table className="mini">
      <Columns of={['key', 'row']} />
      <tbody>
        {rows.map(({ key, label }) => (
          <tr key={key}>
            <td className="key">
              <Shown text={key} />
            </td>
            <th scope="row">{label !== key && <Shown text={label} />}</th>
          </tr>
        ))}
      </tbody>
    </table>
  </Part>
)

/** Rows that were not written: a selection of their own, or each with its reason. */
function Left({ flow, table, result }: { flow: Flow; table: string; result: Written }) {
  const { inTab } = useRuntime()
  const left = 'left' in result ? result.left : null
  return (
    <>
      <Told>
        <p>
          <Shown text={result.text} />
        </p>
        {left && (
          <p>
            <a
              className="plain"
              href={left.href}
              // What the tab keeps would take the place of the selection that is opened.
              onClick={() => inTab.set(keptName(table), null)}
            >
              {left.text}
            </a>
          </p>
        )}
        {result.status === 'partly' && <ReasonRows rows={result.rows} />}
      </Told>
      <Acts flow={flow} isEnd />
    </>
  )
}
