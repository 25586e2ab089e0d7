/** A page as data: the server draws it, the browser hydrates it, and a visit in place fetches it. */

import type { RealtimeAddress } from './channels.ts'
import type { Json } from './json.ts'
import type { Assets, ErrorBody } from './wire.ts'

/** One live component on a page. */
export type PageComponent = {
  /** Unique in its page. */
  id: string
  name: string
  snapshot: string
  /** `null` for a lazy component, whose view the browser asks for. */
  view: Json
  lazy?: true
  /** Names of the actions that are queries; absent where there are none. */
  queries?: string[]
  /** Names of the events that it listens to; absent where there are none. */
  listens?: string[]
  /** Channels whose events refresh it; absent where there are none. */
  channels?: string[]
  /** `false` where these refresh it also while the person interacts with the page. */
  yields?: false
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
  /** Whether that is another address than the one that was asked for. Default: false. */
  isElsewhere?: true
  /** The host that the browser asked, with its port; nothing in data is loaded from there. */
  host: string
  /** Language of the copy, for `lang`; numbers and dates may follow another `locale`. */
  language: string
  locale: string
  direction: 'ltr' | 'rtl'
  /** Token for unsafe requests; it belongs to the document (spec §7). */
  csrf: string
  /** Address of the start page, such as `/admin/`: every other address begins with it. */
  start: string
  /** Address for updates (spec §7). */
  updateUrl: string
  assets: Assets
  /** Where sockets are opened; absent where nobody may. */
  realtime?: RealtimeAddress
  preferences: Preferences
  /** Id of the component around the content, such as a sidebar; none before sign-in. */
  shell: string | null
  /** Name of the sidebar's entry that the page belongs to, if any. */
  current: string | null
  /** From the database to this page, itself last; empty where none are shown. */
  breadcrumbs: Crumb[]
  content: PageContent
  components: PageComponent[]
  /** Why the requested page could not be shown; absent where it is. */
  error?: ErrorBody['error']
}

/** The answer when a prefetched page is shown: the shell as it is now. */
export type ShownPage = { shell: PageComponent | null }
