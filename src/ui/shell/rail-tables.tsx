/** The tables of the rail in their groups, with a search box. */

import { useContext, useState } from 'react'
import type { RailItem, ShellView } from '../../protocol/admin-view.ts'
import { Icon } from '../parts/icon.tsx'
import { KeptMarkupContext } from '../parts/kept-markup.ts'
import { useMessages } from '../parts/use-messages.ts'
import { findTables, initials } from './rail-items.ts'
import { Shown } from '../parts/plain-text.tsx'

export function RailTables(props: { groups: ShellView['groups']; current: string | null }) {
  const { shell } = useMessages()
  const [text, setText] = useState('')
  const groups = findTables(props.groups, text)
  return (
    <>
      <div className="wrap find needs-script">
        <Icon name="search" />
        <input
          type="text"
          className="in quiet"
          aria-label={shell.find}
          placeholder={shell.find}
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => event.key === 'Escape' && text && clear(event, setText)}
        />
      </div>
      <nav aria-label={shell.tables}>
        {groups.length === 0 && text && <p>{shell.findNothing(text)}</p>}
        {groups.map(({ kind, items }) => (
          <Group
            key={kind}
            title={shell.groups[kind]}
            items={items}
            // Marks the current table only in its own group, where its place never changes.
            current={kind === 'recent' ? null : props.current}
          />
        ))}
      </nav>
    </>
  )
}

/** The first Escape empties the box; the next one closes the drawer. */
function clear(event: React.KeyboardEvent, setText: (text: string) => void) {
  event.preventDefault()
  setText('')
}

type GroupProps = { title: string; items: readonly RailItem[]; current: string | null }

function Group({ title, items, current }: GroupProps) {
  const kept = useContext(KeptMarkupContext)
  const messages = useMessages()
  const list = () => <Items items={items} current={current} />
  return (
    <>
      <h2>{title}</h2>
      {kept ? (
        <ul
          dangerouslySetInnerHTML={{
            __html: kept(messages, JSON.stringify([items, current]), list),
          }}
        />
      ) : (
        <ul>{list()}</ul>
      )}
    </>
  )
}

const Items = ({ items, current }: Omit<GroupProps, 'title'>) =>
  items.map(({ name, label, href, count }) => (
    <li key={name}>
      <a href={href} aria-current={name === current ? 'page' : undefined}>
        <span className="initials" aria-hidden="true">
          {initials(label)}
        </span>
        <span className="name">
          <Shown text={label} />
        </span>
        {count !== null && <span className="n">{count}</span>}
      </a>
    </li>
  ))
