/** What a sealed plan says: a ledger of rows, what changes, a sample, what is refused, and what trying it has shown. */

import { type ReactNode, useId } from 'react'
import type { BulkWords } from '../../messages/bulk/words.ts'
import type {
  HangingLine,
  PlanChange,
  PlanLine,
  PlanRow,
  PlanView,
  TryResult,
} from '../../protocol/plan-view.ts'
import { usePage } from '../../react/use-component.ts'
import { Icon } from '../parts/icon.tsx'
import { CUT_MARK, Shown } from '../parts/plain-text.tsx'
import { useMessages } from '../parts/use-messages.ts'
import { useBulkWords } from './use-bulk-words.ts'

export function PlanBody({ plan, tried }: { plan: PlanView; tried: TryResult | null }) {
  const { plan: words } = useBulkWords()
  const { locale } = usePage()
  const { refused, hanging, seal, isOne } = plan
  // What the database really made of them counts more than what was planned.
  const sample = tried?.status === 'tried' && tried.sample.length > 0 ? tried.sample : plan.sample
  const hasRefused = refused.reasons.length > 0 || refused.rows.length > 0
  return (
    <>
      {tried && <Tried tried={tried} />}
      <div className={isOne ? 'cols one' : 'cols'}>
        {!isOne && <Ledger plan={plan} />}
        <div>
          {hanging.length > 0 && (
            <Part title={isOne ? words.hangingOnOne : words.hanging}>
              <HangingLines lines={hanging} />
            </Part>
          )}
          {sample.length > 0 && (
            <Part
              title={
                isOne
                  ? words.theRow
                  : words.sample(sample.length.toLocaleString(locale), plan.rowsText)
              }
            >
              <Sample rows={sample} />
            </Part>
          )}
          {hasRefused && <RefusedRows {...refused} />}
        </div>
      </div>
      <p className="seal">
        <Icon name="lock" />
        <span>{seal}</span>
      </p>
    </>
  )
}

/** How many rows are written, and what becomes of their values. */
function Ledger({ plan }: { plan: PlanView }) {
  const { plan: words } = useBulkWords()
  const { figures, changes } = plan
  const hasFields = new Set(changes.map(({ label }) => label)).size > 1
  return (
    <div>
      <Part title={words.rows}>
        <dl className="figures">
          {figures.map(({ text, count }) => (
            <Figure key={text} text={text} count={count} />
          ))}
          <Figure text={words.toWrite} count={plan.rowsText} isSum />
        </dl>
        {plan.rows === 0 && <p className="hint">{words.nothing}</p>}
      </Part>
      {changes.length > 0 && (
        <Part title={words.changes}>
          <dl className="figures">
            {changes.map((change) => (
              <div key={JSON.stringify([change.label, change.before, change.after])}>
                <dt>
                  {hasFields && <span className="hint">{change.label} </span>}
                  <WasIs {...change} isKept />
                </dt>
                <dd>{change.count}</dd>
              </div>
            ))}
          </dl>
          {plan.moreChanges !== null && <p className="hint">{plan.moreChanges}</p>}
        </Part>
      )}
    </div>
  )
}

/** What hangs on rows that are to be deleted, with links to lists of it where there are any. */
export const HangingLines = ({ lines }: { lines: readonly HangingLine[] }) => (
  <ul className="hanging">
    {lines.map(({ text, href }) => (
      <li key={text}>
        {href === undefined ? (
          <Shown text={text} />
        ) : (
          <a className="plain" href={href}>
            <Shown text={text} />
          </a>
        )}
      </li>
    ))}
  </ul>
)

export function Part({ title, children }: { title: string; children: ReactNode }) {
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <h3 id={id}>{title}</h3>
      {children}
    </section>
  )
}

const Figure = ({ text, count, isSum = false }: PlanLine & { isSum?: boolean }) => (
  <div className={isSum ? 'sum' : undefined}>
    <dt>
      <Shown text={text} />
    </dt>
    <dd>{count}</dd>
  </div>
)

/** A value and what it becomes; of a row that goes, the value alone. */
function WasIs({
  before,
  after,
  isKept = false,
}: Pick<PlanChange, 'before' | 'after'> & { isKept?: boolean }) {
  const { plan: words } = useBulkWords()
  const was = <ValueText text={before} />
  if (before === after) return was
  return (
    <>
      {isKept ? <span className="was">{was}</span> : <del>{was}</del>}
      {after !== undefined && (
        <>
          <span className="arrow" aria-hidden="true">
            →
          </span>
          <span className="sr"> {words.becomes} </span>
          <ins>
            <ValueText text={after} />
          </ins>
        </>
      )}
    </>
  )
}

/** NULL and an empty text look different. */
function ValueText({ text }: { text: string | null }) {
  const { changed, cell } = useMessages()
  if (text === null)
    return (
      <span className="null">
        –<span className="sr"> {changed.nothing}</span>
      </span>
    )
  if (text === '') return <span className="null">{cell.empty}</span>
  if (text.length <= LONG) return <Shown text={text} />
  return (
    <span title={text}>
      <Shown text={text.slice(0, LONG).trimEnd() + CUT_MARK} />
    </span>
  )
}

/** Characters by which a long value is told from others. */
const LONG = 80

/** Columns of such tables are as wide as is known beforehand. */
export const Columns = ({ of }: { of: readonly ('key' | 'row' | 'now')[] }) => (
  <colgroup>
    {of.map((column) => (
      <col key={column} className={`col-${column}`} />
    ))}
  </colgroup>
)

/** Where several fields change, each is named. */
function Sample({ rows }: { rows: readonly PlanRow[] }) {
  const { plan: words } = useBulkWords()
  const columns = rows.flatMap(({ changes }) => changes.map(({ column }) => column))
  const hasFields = new Set(columns).size > 1
  return (
    <table className="mini">
      <Columns of={['key', 'row', 'now']} />
      <thead className="sr">
        <tr>
          <th scope="col">{words.key}</th>
          <th scope="col">{words.row}</th>
          <th scope="col">{words.change}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ key, label, changes }) => (
          <tr key={key}>
            <td className="key">
              <Shown text={key} />
            </td>
            <th scope="row">{label !== key && <Shown text={label} />}</th>
            <td className="now">
              {changes.map(({ column, label: field, ...change }) => (
                <p key={column}>
                  {hasFields && <span className="hint">{field} </span>}
                  <WasIs {...change} />
                </p>
              ))}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

export function RefusedRows({ reasons, rows }: PlanView['refused']) {
  const { plan: words } = useBulkWords()
  const { locale } = usePage()
  const [only] = reasons
  const count = reasons.length === 1 && only ? only.count : null
  return (
    <Part
      title={
        count === null ? words.refused(rows.length.toLocaleString(locale)) : words.refused(count)
      }
    >
      {reasons.length > 1 && (
        <dl className="figures small">
          {reasons.map(({ text, count: of }) => (
            <Figure key={text} text={text} count={of} />
          ))}
        </dl>
      )}
      <ReasonRows rows={rows} />
    </Part>
  )
}

type ReasonRow = { key: string; label: string; reason: string }

export function ReasonRows({ rows }: { rows: readonly ReasonRow[] }) {
  const { plan: words } = useBulkWords()
  if (rows.length === 0) return null
  return (
    <table className="mini reasons">
      <Columns of={['key', 'row']} />
      <thead className="sr">
        <tr>
          <th scope="col">{words.key}</th>
          <th scope="col">{words.reason}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ key, label, reason }) => (
          <tr key={key}>
            <th scope="row" className="key" title={label === key ? undefined : label}>
              <Shown text={key} />
            </th>
            <td>
              <Shown text={reason} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

export const triedTitle = ({ status }: TryResult, words: BulkWords['plan']): string =>
  status === 'tried' ? words.tried : words.triedRefused

/** What the database really did. */
function Tried({ tried }: { tried: TryResult }) {
  const { plan: words } = useBulkWords()
  if (tried.status === 'refused')
    return (
      <div className="tried bad">
        <Part title={triedTitle(tried, words)}>
          <p>
            <Shown text={tried.text} />
          </p>
          <ReasonRows rows={tried.rows} />
        </Part>
      </div>
    )
  return (
    <div className="tried">
      <Part title={triedTitle(tried, words)}>
        <p>
          <Shown text={tried.text} />
        </p>
        {tried.tables.length > 0 && (
          <dl className="figures small">
            {tried.tables.map(({ text, count }) => (
              <Figure key={text} text={text} count={count} />
            ))}
          </dl>
        )}
      </Part>
    </div>
  )
}
