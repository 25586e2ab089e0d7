/** The React components of the board, rendered on the server and in browsers. */

import { memo, useRef, useState } from 'react'
import {
  useComponent,
  useDirty,
  useEntangled,
  useEvents,
  useLazy,
  useLoading,
  useNavigate,
  usePoll,
} from 'tablewire/react'
import { Collapse, DateTimeInput, Head, type PageProps, useNotify } from 'tablewire/ui'
import type { board } from './board.ts'
import type { boardPage } from './board-page.ts'
import type { summary } from './summary.ts'
import './board.css'

const PRIORITIES = ['all', 'urgent', 'high', 'normal', 'low'] as const

export function BoardPage({ components }: PageProps<typeof boardPage>) {
  const lanes = useRef<HTMLDivElement>(null)
  const { view, call } = useComponent<typeof board>(components.board)
  usePoll(components.board, { within: lanes })
  return (
    <>
      <Head
        title="Inspections"
        end={
          <>
            <Priority id={components.board} />
            <Next id={components.board} />
          </>
        }
      />
      <div className="board">
        <div className="lanes" ref={lanes}>
          {view.lanes.map(({ name, cards }) => (
            <section key={name} aria-label={name}>
              <h2>
                {name} <small>{cards.length}</small>
              </h2>
              <ul>
                {cards.map((card) => (
                  <Card key={card.id} id={components.board} card={card} choose={call.choose} />
                ))}
              </ul>
            </section>
          ))}
        </div>
        <Chosen id={components.board} />
        <Note id={components.board} />
        <Summary id={components.summary} />
      </div>
    </>
  )
}

type View = ReturnType<typeof useComponent<typeof board>>['view']
type CardProps = {
  id: string
  card: View['lanes'][number]['cards'][number]
  choose(id: number): Promise<void>
}

/** Drawn again only if its inspection changes: equal parts of a view stay the same objects. */
const Card = memo(({ id, card, choose }: CardProps) => {
  const isOpening = useLoading<typeof board>(id, { action: 'choose', args: [card.id] })
  return (
    <li data-priority={card.priority}>
      <b>{card.airport}</b> {card.title}
      {card.due && <time dateTime={card.due}>{card.due}</time>}
      <button
        type="button"
        className="btn needs-script"
        aria-busy={isOpening || undefined}
        onClick={() => void choose(card.id)}
      >
        Details
      </button>
    </li>
  )
})
Card.displayName = 'Card'

function Priority({ id }: { id: string }) {
  const [priority, setPriority] = useEntangled<typeof board, 'priority'>(id, 'priority', {
    throttle: true,
  })
  return (
    <label className="needs-script">
      Priority{' '}
      <select
        className="in"
        value={priority}
        onChange={({ target }) =>
          setPriority(PRIORITIES.find((name) => name === target.value) ?? 'all')
        }
      >
        {PRIORITIES.map((name) => (
          <option key={name}>{name}</option>
        ))}
      </select>
    </label>
  )
}

/** Opens the record of the inspection to be done next. */
function Next({ id }: { id: string }) {
  const { call } = useComponent<typeof board>(id)
  const navigate = useNavigate()
  const notify = useNotify()
  const open = async () => {
    const next = await call.next()
    if (next === null) notify('Nothing is waiting.')
    else await navigate(`/tables/inspections/records/${next}`)
  }
  return (
    <button
      type="button"
      className="btn main needs-script"
      // The page itself says what went wrong.
      onClick={() => void open().catch(() => undefined)}
    >
      Next inspection
    </button>
  )
}

function Chosen({ id }: { id: string }) {
  const { view, call } = useComponent<typeof board>(id)
  if (!view.chosen) return null
  const { airport, title, priority, state } = view.chosen
  return (
    <section className="chosen" aria-label="Details">
      <p>
        {airport}: {title}, {priority}, {state}.
      </p>
      <button type="button" className="btn" onClick={() => void call.choose(null)}>
        Close
      </button>
    </section>
  )
}

function Note({ id }: { id: string }) {
  const { field, call, errors } = useComponent<typeof board>(id)
  const [remindAt, setRemindAt] = useEntangled<typeof board, 'remindAt'>(id, 'remindAt')
  const isDirty = useDirty<typeof board>(id, 'note')
  const isKeeping = useLoading<typeof board>(id, { action: 'keep', delay: 'short' })
  const notify = useNotify()
  useEvents<typeof board>({
    kept: ({ characters, remindAt }) =>
      notify(`Kept ${characters} characters.${remindAt && ` Reminder: ${remindAt}.`}`),
  })
  return (
    <form
      className="note needs-script"
      onSubmit={(event) => {
        event.preventDefault()
        void call.keep()
      }}
    >
      <label>
        For the next shift
        <input className="in" data-dirty={isDirty || undefined} {...field('note')} />
      </label>
      <DateTimeInput
        label="Remind them at"
        name="remindAt"
        value={remindAt}
        onChange={setRemindAt}
        error={errors['remindAt']?.[0]}
      />
      <button type="submit" className="btn main" aria-busy={isKeeping || undefined}>
        Keep
      </button>
      {isDirty && <span role="status">Not kept yet</span>}
    </form>
  )
}

function Summary({ id }: { id: string }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <section className="needs-script">
      <button
        type="button"
        className="btn line"
        aria-expanded={isOpen}
        aria-controls="summary"
        onClick={() => setOpen(!isOpen)}
      >
        Summary
      </button>
      <Collapse id="summary" open={isOpen}>
        {isOpen && <Counts id={id} />}
      </Collapse>
    </section>
  )
}

/** Mounted when the panel opens, and only then is the summary read. */
function Counts({ id }: { id: string }) {
  const counts = useLazy<typeof summary>(id)
  if (!counts) return <p role="status">Counting…</p>
  return (
    <ul aria-label="Inspections by priority">
      {counts.view.map(({ priority, count }) => (
        <li key={priority}>
          {priority}: {count}
        </li>
      ))}
    </ul>
  )
}
