/** Views of the admin's own screens: the server fills these types, and the browser draws them. */

import type { Typed } from './component-types.ts'
import type { ErrorCode } from './errors.ts'
import type { UndoPlanView, UndoResult } from './history-view.ts'
import type { Preferences } from './page.ts'
import type { SecondStepView } from './second-factor-view.ts'

/** One entry of the sidebar. */
export type RailItem = {
  name: string
  label: string
  href: string
  /** Row count by the database's statistics, such as `302k` or `≈ 48k`; `null` if it keeps none. */
  count: string | null
  /** Its name in the database, where other tables have the same label. */
  real?: string
}

/** Tables of one schema, or of one prefix, that fold together. */
export type RailFold = {
  /** Tells it from the others, such as `tables sales.order_`. */
  id: string
  /** The schema, or the word that the tables' names begin with, such as `Order …`. */
  label: string
  /** What the labels of all its items begin with, which is not repeated there, such as `Sales order `; may be empty. */
  prefix: string
  /** `null` if it is open only while it holds the current table. */
  isOpen: boolean | null
  items: RailItem[]
  folds?: RailFold[]
}

/**
 * What the sidebar lists: tables that the person pinned, and those opened last; pages of the application's own,
 * tables, views, and what only administrators see.
 */
export type RailGroup = 'pinned' | 'recent' | 'pages' | 'tables' | 'views' | 'admin'

/** Everything around the page's own content. */
export type ShellView = {
  /** Name and kind of the database, such as `demo` and `SQLite`. */
  database: { name: string; kind: string }
  user: { name: string; email: string; role: string }
  /** None is empty. */
  groups: { kind: RailGroup; items: RailItem[]; folds?: RailFold[] }[]
  /** What an administrator who sees all this as a role does is told, and where they stop. */
  looking: { text: string; stop: string; href: string } | null
  links: {
    start: string
    account: string
    /** A `post` needs the page's CSRF token. Absent where the host names no address. */
    signOut?: { href: string; method: 'get' | 'post' }
  }
}

/** The types of the shell component. */
export type ShellComponent = Typed<{
  view: ShellView
  state: object
  writable: never
  actions: {
    prefer: {
      args: {
        [Name in keyof Preferences]: [name: Name, value: Preferences[Name]]
      }[keyof Preferences]
      returns: Promise<void>
    }
    /** Pins a table at the top of the sidebar, or takes it down. */
    pin: { args: [table: string, isPinned: boolean]; returns: Promise<void> }
    /** Keeps whether a part of the sidebar, by its id, is open. */
    fold: { args: [id: string, isOpen: boolean]; returns: Promise<void> }
    /** A query: records by key, code or label, over all tables that the person may read. */
    find: { args: [text: string]; returns: Promise<FoundView> }
    /** A query, for administrators. */
    changes: { args: []; returns: Promise<ChangesStatement> }
    /** A query: what taking an entry of the history back would do. */
    undoPlan: { args: [id: string]; returns: Promise<UndoPlanView> }
    /** Takes an entry back, as far as its rows still hold what it left. */
    undo: { args: [id: string]; returns: Promise<UndoResult> }
    /** For administrators. */
    allowChanges: { args: [isAllowed: boolean]; returns: Promise<void> }
  }
}>

/** What an administrator is told before they allow changes to the database, or take that back. */
export type ChangesStatement = {
  isAllowed: boolean
  title: string
  /** Sentences: what is decided, then, after the tables, such as what the database's role may do, and where Tablewire keeps its own records. */
  lines: string[]
  /** What becomes possible in which tables: the names of those of which the same holds, and the first one's. */
  tables: { name: string; label: string; may: string }[]
  /** Why nothing could be written even then, in a sentence. */
  obstacle: string | null
  /** Label of the button that decides, and the notice afterwards. */
  confirm: string
  done: string
}

/** Records that were found by their key or label. */
export type FoundView = {
  records: FoundRecord[]
  /** What was not searched, in a sentence; `null` if everything was. */
  note: string | null
  /** Whether some tables did not answer in time, so that another try may find more. */
  isPartial: boolean
  /** Names of a few tables whose lists may be searched for the text, the most likely first. */
  lists: string[]
}

export type FoundRecord = {
  label: string
  /** The label of its table, and the code that was found, or the day where others have the same label. */
  table: string
  /** Its key, if it was found by that and has another label, or others have the same label. */
  key: string | null
  href: string
}

export type Fact = { label: string; value: string }

/** A form that asks for email and password. */
export type SignInView = {
  facts: Fact[]
  action: string
  email: string
  next: string
  error: string | null
  /** What is asked after the password; `null` before. */
  second: SecondStepView | null
  /** What the browser is asked for, as JSON, where a passkey may sign in. */
  passkey: string | null
  /** Leads to the OpenID provider, if people come in through one. */
  provider: { href: string; text: string } | null
}

/** The form behind a one-time link: it makes an account, sets a password, or only signs in. */
export type LinkView = {
  facts: Fact[]
  action: string
  title: string
  lead: string
  submit: string
  asks: 'account' | 'password' | 'nothing'
  name: string
  email: string
  errors: { [field: string]: string }
}

/** Why somebody sees no table, where that is not for want of tables. */
export type NoTablesView = { title: string; text: string } | null

/** What went wrong, and where to go from there. */
export type ErrorView = {
  status: number
  code: ErrorCode
  message: string
  detail: string | null
  href: string
  linkText: string
  reference: string | null
}
