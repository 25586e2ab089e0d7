/** The breadcrumbs before a page's title. */

import { usePage } from '../../react/use-component.ts'
import { Icon } from './icon.tsx'
import { useMessages } from './use-messages.ts'
import { Shown } from './plain-text.tsx'

/** The last one is the page itself: only screen readers get it, since the title shows the same. */
export function Breadcrumbs() {
  const { breadcrumbs } = usePage()
  const { shell } = useMessages()
  const [here] = breadcrumbs.slice(-1)
  if (!here) return null
  const before = breadcrumbs.slice(0, -1)
  const parent = before.findLast(({ href }) => href !== undefined)
  return (
    <nav className="crumbs" aria-label={shell.breadcrumbs}>
      <ol>
        {before.map((crumb, place) => (
          <li key={place} className={crumb === parent ? 'parent' : undefined}>
            {crumb.href === undefined ? (
              <span className="name">
                <Shown text={crumb.label} />
              </span>
            ) : (
              <a className="name" href={crumb.href}>
                <Shown text={crumb.label} />
              </a>
            )}
            <Icon name="next" flip />
          </li>
        ))}
        <li className="sr" aria-current="page">
          <Shown text={here.label} />
        </li>
      </ol>
    </nav>
  )
}
