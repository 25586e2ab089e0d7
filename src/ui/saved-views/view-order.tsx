/** The dialog of all saved views: their order, and which is changed or removed. */

import type { SavedView } from '../../protocol/saved-views.ts'
import { Icon } from '../parts/icon.tsx'
import { Modal } from '../parts/modal.tsx'
import { Shown } from '../parts/plain-text.tsx'
import { useMessages } from '../parts/use-messages.ts'
import { useSavedViews, useViewWords } from './use-saved-views.ts'

type Props = {
  views: readonly SavedView[]
  mayDecide: boolean
  opensWith: string | null
  change(view: SavedView): void
  remove(view: SavedView): void
  onClose(): void
}

export function ViewOrder({ views, onClose, ...props }: Props) {
  const words = useViewWords()
  const { views: shared } = useMessages()
  const own = views.filter(({ isShared }) => !isShared)
  const everyone = views.filter(({ isShared }) => isShared)
  return (
    <Modal title={words.allTitle} className="dialog view-order" onClose={onClose}>
      <div className="body">
        {views.length === 0 && <p>{words.noViews}</p>}
        <Lines {...props} title={shared.own} views={own} mayMove />
        <Lines {...props} title={shared.shared} views={everyone} mayMove={props.mayDecide} />
      </div>
      <div className="acts">
        <button type="button" className="btn main" onClick={onClose}>
          {words.done}
        </button>
      </div>
    </Modal>
  )
}

type LinesProps = Omit<Props, 'onClose' | 'mayDecide'> & { title: string; mayMove: boolean }

function Lines({ title, views, mayMove, opensWith, change, remove }: LinesProps) {
  const words = useViewWords()
  const { views: shared } = useMessages()
  const call = useSavedViews()
  if (views.length === 0) return null
  const ids = views.map(({ id }) => id)
  /** The page's failure display says what went wrong. */
  const move = (from: number, to: number) =>
    void call
      .orderViews(ids.with(from, ids[to] ?? '').with(to, ids[from] ?? ''))
      .catch(() => undefined)
  return (
    <section aria-label={title}>
      <h3 className="cap">{title}</h3>
      <ul>
        {views.map((view, at) => (
          <li key={view.id}>
            <span className="vn">
              <Shown text={view.name} />
            </span>
            {view.id === opensWith && <small>{shared.opensWith}</small>}
            {view.isTab && <small>{words.tab}</small>}
            <span className="do">
              {mayMove && (
                <>
                  <Act
                    icon="up"
                    label={words.up(view.name)}
                    isOff={at === 0}
                    run={() => move(at, at - 1)}
                  />
                  <Act
                    icon="down"
                    label={words.down(view.name)}
                    isOff={at === views.length - 1}
                    run={() => move(at, at + 1)}
                  />
                </>
              )}
              {view.mayChange && (
                <>
                  <button
                    type="button"
                    className="btn"
                    aria-label={words.changeOf(view.name)}
                    onClick={() => change(view)}
                  >
                    {words.change}
                  </button>
                  <Act icon="close" label={words.removeOf(view.name)} run={() => remove(view)} />
                </>
              )}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

type ActProps = { icon: 'up' | 'down' | 'close'; label: string; isOff?: boolean; run(): void }

/** One that cannot go further keeps the focus. */
const Act = ({ icon, label, isOff = false, run }: ActProps) => (
  <button
    type="button"
    className="btn icon"
    aria-label={label}
    aria-disabled={isOff || undefined}
    onClick={() => isOff || run()}
  >
    <Icon name={icon} />
  </button>
)
