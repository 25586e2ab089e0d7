/** The frame of pages that are not the admin's own: its padding, and its own scrolling. */

import { type ComponentType, createElement } from 'react'
import type { PageContent } from '../../protocol/page.ts'
import { usePage } from '../../react/use-component.ts'

type View = ComponentType<PageContent>

/** The view inside the frame. */
export function framed(view: View): View {
  return function Framed(content: PageContent) {
    const { breadcrumbs, title } = usePage()
    return (
      // Content without a control could not be scrolled by keyboard otherwise.
      <div
        className="framed"
        role="region"
        aria-label={breadcrumbs.at(-1)?.label ?? title}
        tabIndex={0}
      >
        {createElement(view, content)}
      </div>
    )
  }
}
