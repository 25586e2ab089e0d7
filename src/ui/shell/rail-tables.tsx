/** The entries of the rail in their groups; those of a schema or a prefix fold together. */

import { Fragment, useContext } from 'react'
import type { RailFold, RailItem, ShellView } from '../../protocol/admin-view.ts'
import { Icon } from '../parts/icon.tsx'
import { KeptMarkupContext } from '../parts/kept-markup.ts'
import { Shown } from '../parts/plain-text.tsx'
import { useMessages } from '../parts/use-messages.ts'
import { allItems, initials } from './rail-items.ts'

type RailProps = {
  groups: ShellView['groups']
  current: string | null
  fold(id: string, isOpen: boolean): void
}

export function RailTables({ groups, current, fold }: RailProps) {
  const { shell } = useMessages()
  return (
    <nav aria-label={shell.tables}>
      {/* What is open now is in sight in its own group. */}
      {groups
        .filter(
          ({ kind, items }) => kind !== 'recent' || items.some(({ name }) => name !== current),
        )
        .map(({ kind, items, ...listed }) => (
          <Fragment key={kind}>
            <h2>{shell.groups[kind]}</h2>
            {/* Marks the current table only in its own group, where its place never changes. */}
            <Listed
              {...{ ...listed, fold }}
              items={kind === 'recent' ? items.filter(({ name }) => name !== current) : items}
              current={kind === 'pinned' ? null : current}
            />
          </Fragment>
        ))}
    </nav>
  )
}

type ListedProps = Omit<RailProps, 'groups'> & {
  items: readonly RailItem[]
  folds?: readonly RailFold[]
  /** What the labels begin with, where it stands above them. */
  prefix?: string
}

function Listed({ items, folds = [], prefix = '', current, fold }: ListedProps) {
  const isHere = (those: readonly RailItem[]) => those.some(({ name }) => name === current)
  return (
    <>
      {folds.map((one) => (
        <details key={one.id} open={one.isOpen ?? isHere(allItems(one))}>
          <summary
            onClick={({ currentTarget: { parentElement } }) =>
              fold(one.id, !parentElement?.hasAttribute('open'))
            }
          >
            <Icon name="next" flip />
            <span className="name">
              <Shown text={one.label} />
            </span>
            <span className="n">{allItems(one).length}</span>
          </summary>
          <Listed
            {...{ current, fold, items: one.items, prefix: one.prefix }}
            {...(one.folds && { folds: one.folds })}
          />
        </details>
      ))}
      {items.length > 0 && (
        // Most lists do not hold the current table, and stay the same on all pages.
        <List {...{ items, prefix }} current={isHere(items) ? current : null} />
      )}
    </>
  )
}

type ListProps = { items: readonly RailItem[]; prefix: string; current: string | null }

function List(props: ListProps) {
  const kept = useContext(KeptMarkupContext)
  const messages = useMessages()
  const list = () => <Items {...props} />
  return kept ? (
    <ul dangerouslySetInnerHTML={{ __html: kept(messages, JSON.stringify(props), list) }} />
  ) : (
    <ul>{list()}</ul>
  )
}

const Items = ({ items, prefix, current }: ListProps) =>
  items.map(({ name, label, href, count, real }) => (
    <li key={name}>
      <a href={href} aria-current={name === current ? 'page' : undefined}>
        <span className="initials" aria-hidden="true">
          {initials(label)}
        </span>
        <span className="name">
          {prefix && <span className="sr">{prefix}</span>}
          <Shown text={label.slice(prefix.length)} />
          {real !== undefined && (
            <small>
              {' '}
              <Shown text={real} />
            </small>
          )}
        </span>
        {count !== null && <span className="n">{count}</span>}
      </a>
    </li>
  ))
