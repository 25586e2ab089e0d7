/** A page as data: the server draws it, the browser hydrates it, and a visit in place fetches it. */

import type { Json } from './json.ts'
import type { Assets } from './wire.ts'

/** One live component on a page. */
export type PageComponent = {
  /** Unique in its page. */
  id: string
  name: string
  snapshot: string
  view: Json
  /** Names of the actions that are queries; absent where there are none. */
  queries?: string[]
  /** Names of the events that it listens to; absent where there are none. */
  listens?: string[]
}

export type Theme = 'light' | 'dark' | 'system'
export type Density = 'compact' | 'comfortable' | 'relaxed'

/** The look that a person has chosen; kept with their account. */
export type Preferences = { theme: Theme; density: Density; railCollapsed: boolean }

/** One breadcrumb; without `href` where the step has no page of its own. */
export type Crumb = { label: string; href?: string }

/** The content of a page, without the shell. Applications choose the names of their pages. */
export type PageContent = {
  /** Its name in the browser's registry of pages. */
  page: string
  /** The `data` of its definition on the server. */
  data: Json
  /** Ids of its components, by slot. */
  components: { [slot: string]: string }
}

export type PageData = {
  title: string
  /** Path and query that this page answers. */
  url: string
  /** Language of the copy, for `lang`; numbers and dates may follow another `locale`. */
  language: string
  locale: string
  direction: 'ltr' | 'rtl'
  /** Token for unsafe requests; it belongs to the document (spec §7). */
  csrf: string
  /** Address for updates (spec §7). */
  updateUrl: string
  assets: Assets
  preferences: Preferences
  /** Id of the component around the content, such as a sidebar; none before sign-in. */
  shell: string | null
  /** From the database to this page, itself last; empty where none are shown. */
  breadcrumbs: Crumb[]
  content: PageContent
  components: PageComponent[]
}
