/** Links and moves to the admin's pages, by the paths that the pages are defined with. */

import { type AnchorHTMLAttributes, useCallback } from 'react'
import { NATIVE_ATTRIBUTE } from '../client/navigation/is-ours.ts'
import type { VisitOptions } from '../client/navigation/moves.ts'
import { useRuntime } from './runtime-context.tsx'
import { usePage } from './use-component.ts'

export type LinkProps = Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href'> & {
  /** Path of the page, with query and fragment, as in its definition: the link adds the prefix. */
  readonly to: string
  /** Always load a document, such as for a download. Default: false. */
  readonly native?: boolean
}

/**
 * A link to a page of the admin. Like every link to one, it shows the page in place and fetches it
 * ahead; before script runs, it is a plain link.
 *
 * @example
 * <Link to="/tables/orders?sort=-placed_at">Newest orders</Link>
 */
export function Link({ to, native = false, ...props }: LinkProps) {
  const { start } = usePage()
  return <a {...props} href={below(start, to)} {...(native && { [NATIVE_ATTRIBUTE]: '' })} />
}

/** Shows a page in place. Resolves when it is shown, or another one was asked for. */
export type Navigate = (to: string, options?: VisitOptions) => Promise<void>

/**
 * A function that shows a page of the admin, by its path as in its definition.
 *
 * @example
 * const navigate = useNavigate()
 * return <button onClick={() => void navigate('/tally', { history: 'replace' })}>Tally</button>
 */
export function useNavigate(): Navigate {
  const runtime = useRuntime()
  return useCallback(
    (to, options) => runtime.visit(below(runtime.getState().start, to), options),
    [runtime],
  )
}

/** The address of a path as in a page's definition, below the start. */
const below = (start: string, path: string): string => start + path.replace(/^\//, '')
