/** The dialog that lists the keys of what is on this page, as they are registered. */

import { Icon } from '../parts/icon.tsx'
import { Modal } from '../parts/modal.tsx'
import { useMessages } from '../parts/use-messages.ts'
import { isMac } from './is-mac.ts'
import { capsOf } from './key-caps.ts'
import type { Keys } from './key-names.ts'
import type { Command } from './registry.ts'
import { useGroups } from './use-groups.ts'

export function KeyMapDialog({ onClose }: { onClose(): void }) {
  const { keys, shell } = useMessages()
  const groups = useGroups()
  const corner = (
    <button type="button" className="btn icon" aria-label={shell.close} onClick={onClose}>
      <Icon name="close" />
    </button>
  )
  return (
    <Modal title={keys.title} className="dialog wide" onClose={onClose} corner={corner}>
      <div className="body keys" tabIndex={0} role="region" aria-label={keys.all}>
        {groupsOf(groups).map(([title, lines]) => (
          <section key={title}>
            <h3>{title}</h3>
            <dl>
              {[...lines].map(([text, names]) => (
                <Line key={text} text={text} names={names} />
              ))}
            </dl>
          </section>
        ))}
      </div>
      <div className="acts">
        <span className="hint">{keys.note}</span>
      </div>
    </Modal>
  )
}

function Line({ text, names }: { text: string; names: readonly Keys[] }) {
  return (
    <div>
      <dt>{text}</dt>
      <dd>
        {names.map((keys) => (
          <span key={keys} data-keys={keys}>
            {capsOf(keys, isMac()).map((cap) => (
              <kbd key={cap}>{cap}</kbd>
            ))}
          </span>
        ))}
      </dd>
    </div>
  )
}

type Lines = ReadonlyMap<string, readonly Keys[]>

/** The groups that have keys, by title, with their keys by line. */
function groupsOf(
  groups: readonly { readonly title: string; readonly commands: readonly Command[] }[],
): [title: string, Lines][] {
  const byTitle = Map.groupBy(groups, ({ title }) => title)
  return [...byTitle].flatMap(([title, those]): [string, Lines][] => {
    const lines = new Map<string, readonly Keys[]>()
    for (const { label, line = label, keys } of those.flatMap(({ commands }) => commands))
      if (keys !== undefined) lines.set(line, [...(lines.get(line) ?? []), keys])
    return lines.size === 0 ? [] : [[title, lines]]
  })
}
