/** The dialog that lists all keyboard shortcuts. */

import { Icon } from './icon.tsx'
import { Modal } from './modal.tsx'
import { useMessages } from './use-messages.ts'

type Line = [text: string, keys: readonly string[]]

export function KeyMapDialog({ onClose }: { onClose(): void }) {
  const { keys, shell } = useMessages()
  const groups: [title: string, lines: Line[]][] = [
    [
      keys.anywhere,
      [
        [keys.home, ['G', 'H']],
        [keys.theme, ['T']],
        [keys.these, ['?']],
        [keys.close, ['Esc']],
      ],
    ],
    [
      keys.table,
      [
        [keys.search, ['/']],
        [keys.rows, ['J', 'K']],
        [keys.cells, ['←', '→']],
        [keys.ends, ['Home', 'End']],
        [keys.tenRows, ['PgDn', 'PgUp']],
        [keys.pages, [']', '[']],
        [keys.open, ['Enter']],
        [keys.display, ['V']],
      ],
    ],
    [
      keys.record,
      [
        [keys.steps, ['J', 'K']],
        [keys.back, ['U']],
      ],
    ],
  ]
  const corner = (
    <button type="button" className="btn icon" aria-label={shell.close} onClick={onClose}>
      <Icon name="close" />
    </button>
  )
  return (
    <Modal title={keys.title} className="dialog wide" onClose={onClose} corner={corner}>
      <div className="body keys" tabIndex={0} role="region" aria-label={keys.all}>
        {groups.map(([title, lines]) => (
          <section key={title}>
            <h3>{title}</h3>
            <dl>
              {lines.map(([text, names]) => (
                <div key={text}>
                  <dt>{text}</dt>
                  <dd>
                    {names.map((name) => (
                      <kbd key={name}>{name}</kbd>
                    ))}
                  </dd>
                </div>
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
