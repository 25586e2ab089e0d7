/** The search of a page whose address holds what is searched, which works before script has come. */

import type { ReactNode } from 'react'
import { Icon } from './icon.tsx'

type Props = {
  label: string
  search: string
  /** Inputs of what else the address holds. */
  children: ReactNode
}

export const SearchForm = ({ label, search, children }: Props) => (
  <form role="search" className="wrap search">
    {children}
    <Icon name="search" />
    <input
      key={search}
      className="in quiet"
      type="search"
      name="search"
      aria-label={label}
      placeholder={label}
      defaultValue={search}
    />
  </form>
)
