/** The list of the palette: options in groups, of which one is active. */

import { type MouseEvent, useEffect, useRef } from 'react'
import { Icon } from '../parts/icon.tsx'
import { useMessages } from '../parts/use-messages.ts'
import { Shown } from '../parts/plain-text.tsx'
import { isMac } from './is-mac.ts'
import { ariaKeys, capsOf } from './key-caps.ts'
import { type Item, markedParts, type Section } from './palette-items.ts'

type ListProps = {
  id: string
  sections: readonly Section[]
  active: Item | undefined
  text: string
  follow(item: Item): void
  choose(item: Item, inNewTab: boolean): void
}

export function PaletteList({ id, sections, active, text, follow, choose }: ListProps) {
  const { commands } = useMessages()
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' })
  }, [active?.id])
  if (sections.length === 0) return null
  const items = sections.flatMap((section) => section.items)
  return (
    <div ref={list} className="results" role="listbox" id={id} aria-label={commands.results}>
      {sections.map(({ title, items: those }) => (
        <div key={title} role="group" aria-label={title}>
          <p className="title" role="presentation">
            {title}
          </p>
          {those.map((item) => (
            <Option
              key={item.id}
              id={`${id}-${items.indexOf(item)}`}
              item={item}
              text={text}
              isActive={item === active}
              onMove={() => item !== active && follow(item)}
              onChoose={(inNewTab) => choose(item, inNewTab)}
            />
          ))}
        </div>
      ))}
    </div>
  )
}

type OptionProps = {
  id: string
  item: Item
  text: string
  isActive: boolean
  onMove(): void
  onChoose(inNewTab: boolean): void
}

/** The focus stays in the field; the active option is told by its id. */
function Option({ id, item, text, isActive, onMove, onChoose }: OptionProps) {
  const { keys, label, detail, icon } = item
  const choose = (event: MouseEvent) => {
    if (event.button > 1) return
    event.preventDefault()
    onChoose(event.button === 1 || event.ctrlKey || event.metaKey)
  }
  return (
    <div
      id={id}
      role="option"
      className="option"
      aria-selected={isActive}
      aria-keyshortcuts={keys && ariaKeys(keys)}
      // Not `mouseenter`, which a list that scrolls under a resting pointer sends too.
      onMouseMove={onMove}
      onMouseDown={(event) => event.preventDefault()}
      onClick={choose}
      onAuxClick={choose}
    >
      <Icon name={icon} />
      <span className="label">
        {markedParts(label, text).map((part, place) =>
          place % 2 === 1 ? (
            <mark key={place}>
              <Shown text={part} />
            </mark>
          ) : (
            <Shown key={place} text={part} />
          ),
        )}
      </span>{' '}
      {detail !== '' && (
        <span className="detail">
          <Shown text={detail} />
        </span>
      )}
      <span className="caps" aria-hidden="true">
        {isActive ? (
          <kbd>↵</kbd>
        ) : (
          keys && capsOf(keys, isMac()).map((cap) => <kbd key={cap}>{cap}</kbd>)
        )}
      </span>
    </div>
  )
}
