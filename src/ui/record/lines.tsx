/** The lines of a row in its form: a table of fields, in which lines are added, changed, removed and put in order. */

import {
  type KeyboardEvent,
  type PointerEvent,
  useCallback,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react'
import { LINES_MAX, type LinesView } from '../../protocol/form-sections.ts'
import type { FieldInput, FormView } from '../../protocol/form-view.ts'
import { showNumber } from '../../protocol/numbers.ts'
import { usePage } from '../../react/use-component.ts'
import { Icon } from '../parts/icon.tsx'
import { Shown } from '../parts/plain-text.tsx'
import { useMessages } from '../parts/use-messages.ts'
import { dragRow } from '../reorder/drag.ts'
import { droppedRank } from '../reorder/moves.ts'
import { say } from '../parts/say.ts'
import { Choice, labelOf, LineRow } from './line-row.tsx'
import {
  addLine,
  countLines,
  type LineCounts,
  type LinesEdits,
  isOrderContested,
  keepOrder,
  linesIn,
  moveLine,
  NO_LINES,
  type StandingLine,
  takeOrder,
} from './line-edits.ts'
import { sumOf } from './line-sums.ts'
import { SectionList } from './links.tsx'
import type { FormState } from './use-form.ts'

/** With more columns than this, the fields of a line stand in rows of their own. */
const WIDE = 6

type Props = { component: string; view: LinesView; form: FormState }

export function LinesSection({ component, view, form }: Props) {
  const { words } = form.view
  const id = useId()
  const { sections, isHydrated } = form
  const { changeLines } = sections
  const edits = sections.edits.lines[view.name] ?? NO_LINES
  const lines = linesIn(view, edits)
  const problems = sections.problems[view.name]
  const { table, focusLater } = useFocusLater()
  const [told, setTold] = useState('')
  const count = lines.filter(({ edit }) => !edit?.isRemoved).length

  const add = () =>
    changeLines(view.name, (now) => {
      const { edits: next, id: line } = addLine(now)
      focusLater(line, 'td[data-column] :is(input, select, textarea)')
      return next
    })

  const move = (line: string, to: number) => {
    const all = lines.length
    if (to < 0 || to >= all) return
    changeLines(view.name, (now) => moveLine(view, now, line, to))
    setTold(say(words['movedTo'], `${to + 1}`, `${all}`))
    focusLater(line, '.grip')
  }

  const press = usePress((line, drop) => {
    const places = linesIn(view, edits).map((one) => one.id)
    const [from, target] = [places.indexOf(line), places.indexOf(drop.key)]
    if (from >= 0 && target >= 0) move(line, droppedRank(from, target, drop.after))
  })

  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const { target, key } = event
    const row = target instanceof HTMLElement ? target.closest<HTMLElement>('tr') : null
    const place = lines.findIndex((line) => line.id === row?.dataset['rowKey'])
    if (
      !row ||
      place < 0 ||
      event.defaultPrevented ||
      event.altKey ||
      event.ctrlKey ||
      event.metaKey
    )
      return
    const line = lines[place]?.id ?? ''
    if (target instanceof HTMLElement && target.classList.contains('grip')) {
      const to = { ArrowUp: place - 1, ArrowDown: place + 1, Home: 0, End: lines.length - 1 }[key]
      if (to === undefined) return
      event.preventDefault()
      return move(line, to)
    }
    // It would save the form; in a text of several lines it begins the next one.
    if (
      key !== 'Enter' ||
      !(target instanceof HTMLInputElement || target instanceof HTMLSelectElement)
    )
      return
    event.preventDefault()
    const next = lines.slice(place + 1).find(({ edit }) => !edit?.isRemoved)
    if (!next) return count < LINES_MAX && view.may.add ? add() : undefined
    const column = target.closest<HTMLElement>('td')?.dataset['column'] ?? ''
    focusLater(next.id, `td[data-column="${CSS.escape(column)}"] :is(input, select, textarea)`)
  }

  return (
    <section className="lines-section" aria-labelledby={id}>
      <h2 id={id}>
        <Shown text={view.label} />
        <small>{words['saved']}</small>
      </h2>
      {view.tooMany !== null && <p className="hint">{view.tooMany}</p>}
      {view.tooMany !== null && <SectionList view={view} words={words} isAlways />}
      {(problems?.['']?.errors[''] ?? []).map((text) => (
        <p key={text} className="err">
          <Icon name="warning" />
          {text}
        </p>
      ))}
      {isOrderContested(view, edits) && (
        <Choice
          says={words['movedByOthers']}
          answers={[
            [
              words['myOrder'],
              () => changeLines(view.name, (now) => keepOrder(view, now), { id: '' }),
            ],
            [words['theirOrder'], () => changeLines(view.name, takeOrder, { id: '' })],
          ]}
        />
      )}
      {view.tooMany === null && (
        <>
          <table
            ref={table}
            role="table"
            className="lines"
            data-wide={view.fields.length + view.fixed.length > WIDE ? '' : undefined}
            aria-labelledby={id}
            onKeyDown={onKeyDown}
          >
            <LinesHead view={view} words={words} />
            <tbody role="rowgroup">
              {lines.map(({ id: line, row, edit }, at) => (
                <LineRow
                  key={line}
                  {...{ component, view, words, row, edit, isHydrated, changeLines, press }}
                  lineId={line}
                  place={at + 1}
                  problems={problems?.[line]}
                />
              ))}
            </tbody>
            <Sums {...{ view, lines, words }} />
          </table>
          {view.may.add && count < LINES_MAX && !isHydrated && (
            <noscript>
              <NewLine {...{ component, view, words, edits, place: lines.length + 1 }} />
            </noscript>
          )}
          <div className="lines-foot">
            <span>{countText(words, count, countLines(edits))}</span>
            {view.may.add && (
              <button
                type="button"
                className="btn line needs-script"
                disabled={count >= LINES_MAX}
                onClick={add}
              >
                {words['add']}
              </button>
            )}
          </div>
        </>
      )}
      <span className="sr" role="status">
        {told}
      </span>
    </section>
  )
}

type SumsProps = { view: LinesView; lines: readonly StandingLine[]; words: FormView['words'] }

/** What the lines come to, under the columns that are added up. */
function Sums({ view, lines, words }: SumsProps) {
  const { locale } = usePage()
  if (view.sums.length === 0 || lines.length === 0) return null
  const cell = (column: string, label: string, field?: FieldInput) => {
    const summed = view.sums.find(({ name }) => name === column)
    if (!summed) return <td key={column} role="cell" />
    const sum = sumOf(lines, { column, field, isMoney: summed.isMoney }, locale)
    return (
      <td key={column} role="cell" className="num" data-sum={column} data-label={label}>
        {sum === null ? '–' : showNumber(sum, locale)}
      </td>
    )
  }
  return (
    <tfoot role="rowgroup">
      <tr role="row">
        {view.may.order && <td role="cell" />}
        <th role="rowheader" scope="row" className="c-n">
          {words['sum']}
        </th>
        {view.fields.map((field) => cell(field.name, labelOf(field), field))}
        {view.fixed.map(({ name, label }) => cell(name, label))}
        <td role="cell" />
      </tr>
    </tfoot>
  )
}

type NewLineProps = Pick<
  Parameters<typeof LineRow>[0],
  'component' | 'view' | 'words' | 'place'
> & {
  edits: LinesEdits
}

/** Without script, one line may be added at a time. */
function NewLine({ edits, view, words, ...props }: NewLineProps) {
  const { edits: next, id } = addLine(edits)
  const edit = next.lines.at(-1)
  return (
    <table role="table" className="lines" data-wide="" aria-label={words['add']}>
      <LinesHead view={view} words={words} />
      <tbody role="rowgroup">
        <LineRow
          {...{ ...props, view, words, edit, lineId: id }}
          row={undefined}
          problems={undefined}
          isHydrated={false}
          changeLines={() => undefined}
          press={() => undefined}
        />
      </tbody>
    </table>
  )
}

function LinesHead({ view, words }: { view: LinesView; words: FormView['words'] }) {
  const { editing } = useMessages()
  return (
    <thead role="rowgroup">
      <tr role="row">
        {view.may.order && (
          <th scope="col" role="columnheader" className="c-grip">
            <span className="sr">{words['handles']}</span>
          </th>
        )}
        <th scope="col" role="columnheader" className="c-n">
          {words['line']}
        </th>
        {view.fields.map(({ name, label, unit, control, required, help }) => (
          <th
            key={name}
            scope="col"
            role="columnheader"
            className={control.is === 'number' ? 'num' : undefined}
            title={help}
          >
            <Shown text={label} />
            {unit !== undefined && <span className="unit"> {unit}</span>}
            {required && <span className="hint"> {editing.required}</span>}
          </th>
        ))}
        {view.fixed.map(({ name, label }) => (
          <th key={name} scope="col" role="columnheader" className="num">
            <Shown text={label} />
          </th>
        ))}
        <th scope="col" role="columnheader" className="c-x">
          <span className="sr">{words['removing']}</span>
        </th>
      </tr>
    </thead>
  )
}

/** Such as “4 lines (1 new, 1 removed)”. */
function countText(
  words: FormView['words'],
  count: number,
  { added, removed }: LineCounts,
): string {
  const lines = count === 1 ? words['oneLine'] : say(words['lines'], `${count}`)
  const told = [
    added > 0 && say(words['added'], `${added}`),
    removed > 0 && say(words['removed'], `${removed}`),
  ].filter(Boolean)
  return told.length > 0 ? `${lines} (${told.join(', ')})` : `${lines}`
}

/** Puts the focus into a line once it stands where it belongs. */
function useFocusLater() {
  const table = useRef<HTMLTableElement>(null)
  const wanted = useRef<{ line: string; within: string } | null>(null)
  const [, redraw] = useState(0)
  useEffect(() => {
    const { current } = wanted
    if (!current) return
    wanted.current = null
    table.current
      ?.querySelector<HTMLElement>(
        `tr[data-row-key="${CSS.escape(current.line)}"] ${current.within}`,
      )
      ?.focus()
  })
  const focusLater = useCallback((line: string, within: string) => {
    wanted.current = { line, within }
    redraw((count) => count + 1)
  }, [])
  return { table, focusLater }
}

/** A handle that is pressed: the same function for all lines, whatever is drawn meanwhile. */
function usePress(dropped: (line: string, drop: { key: string; after: boolean }) => void) {
  const latest = useRef(dropped)
  useEffect(() => {
    latest.current = dropped
  })
  return useCallback(
    (line: string, event: PointerEvent<HTMLElement>) =>
      dragRow(event, {
        begin: () => undefined,
        over: () => undefined,
        end: (drop) => drop && latest.current(line, drop),
      }),
    [],
  )
}
