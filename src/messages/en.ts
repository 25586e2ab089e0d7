/** Everything that Tablewire says, in English: grouped by the screen that says it. */

const plural = (count: number, one: string, many: string) => (count === 1 ? one : many)

/** Values handed to a function are already written in the reader's format. */
export const en = {
  /** Titles of documents. */
  titles: {
    page: (page: string, database: string) => `${page} · ${database}`,
    signIn: 'Sign in',
    link: 'Sign-in link',
    account: 'Account',
    noTables: 'No tables',
    error: 'Error',
  },

  shell: {
    product: 'Tablewire',
    skipToTable: 'Skip to the table',
    skipToContent: 'Skip to the content',
    database: 'Database',
    /** Rows of a table in the sidebar, shortened, such as `302k`. */
    count: { exact: (count: string) => count, estimate: (count: string) => `≈ ${count}` },
    openTables: 'Open tables',
    tables: 'Tables',
    groups: { recent: 'Recent', tables: 'Tables', views: 'Views' },
    find: 'Find a table',
    findNothing: (text: string) => `No table is called “${text}”.`,
    collapse: 'Collapse the sidebar',
    expand: 'Expand the sidebar',
    account: 'Account',
    signOut: 'Sign out',
    themes: { light: 'light', dark: 'dark', system: 'system' },
    theme: (theme: string) => `Theme: ${theme}`,
    notifications: 'Notifications',
    dismiss: 'Dismiss',
    close: 'Close',
  },

  list: {
    total: {
      exact: (total: string) => total,
      estimate: (total: string) => `≈ ${total}`,
      atLeast: (total: string) => `more than ${total}`,
      counting: 'counting…',
      unknown: 'not counted',
    },
    readOnly: 'Read-only',
    tools: 'Table tools',
    rows: 'Rows',
    search: 'Search',
    display: 'Display',
    density: 'Density',
    densities: { compact: 'Compact', comfortable: 'Comfortable', relaxed: 'Relaxed' },
    columns: 'Columns',
    sort: 'Sort',
    onPage: (rows: string) => `${rows} on this page`,
    sum: 'Sum',
    mean: 'Mean',
    range: (range: string, total: string) => `${range} of ${total}`,
    rowsPerPage: 'Rows per page',
    apply: 'Apply',
    pagination: 'Pagination',
    page: (number: string) => `Page ${number}`,
    pageOf: (number: string, pages: string) => `Page ${number} of ${pages}`,
    firstPage: 'First page',
    previousPage: 'Previous page',
    nextPage: 'Next page',
    lastPage: 'Last page',
    loading: 'Loading',
    emptyTitle: (table: string) => `No rows in ${table} yet`,
    emptyText: 'Rows appear here as they are added.',
    pastTitle: 'No rows on this page',
    pastText: 'The rows that were here have gone.',
    noMatchTitle: (search: string) => `Nothing matches “${search}”`,
    noMatchText: (table: string) => `No row of ${table} holds this text.`,
    clearSearch: 'Clear search',
  },

  cell: {
    null: 'no value',
    empty: 'empty text',
    noAccess: 'No access',
    cut: (shown: string, all: string) => `The first ${shown} of ${all} characters`,
    yes: 'Yes',
    no: 'No',
    bytes: (size: string) => `${size} bytes`,
  },

  /** The order of rows in words. */
  order: {
    text: (column: string, direction: string) => `${column}, ${direction}`,
    then: (first: string, second: string) => `${first}, then ${second}`,
    ascending: {
      date: 'oldest first',
      time: 'earliest first',
      number: 'smallest first',
      boolean: 'no first',
      text: 'A to Z',
    },
    descending: {
      date: 'newest first',
      time: 'latest first',
      number: 'largest first',
      boolean: 'yes first',
      text: 'Z to A',
    },
  },

  /** Why something is slow or may not be done, in one sentence. */
  reasons: {
    readOnlyDatabase: 'The database was opened for reading.',
    readOnlyView: 'This is a view.',
    readOnlyNoKey: 'The table has no primary key.',
    readOnlyGrant: 'You may read this table, but not change it.',
    slowSort: (column: string) => `No index serves the order by ${column}; pages may take longer.`,
    slowSearch: 'No index serves this search; it reads the whole table.',
  },

  signIn: {
    title: 'Sign in',
    lead: 'Open the link that Tablewire printed in its terminal, or sign in here.',
    email: 'Email',
    password: 'Password',
    submit: 'Sign in',
  },

  link: {
    newTitle: 'Set up the first account',
    newLead: 'It becomes the administrator of this Tablewire. The link works once.',
    title: 'Sign in with this link',
    lead: (email: string) => `You will be signed in as ${email}. The link works once.`,
    leadUnnamed: 'The link works once.',
    name: 'Name',
    email: 'Email',
    password: 'Password',
    passwordHint: 'At least 12 characters.',
    newSubmit: 'Create account',
    submit: 'Continue',
  },

  /** What stands beside a sign-in form. */
  facts: {
    title: 'About this database',
    database: 'Database',
    host: 'Host',
    file: 'File',
    environment: 'Environment',
    access: 'Access',
    accessReadOnly: 'Read-only until changes are allowed',
    accessWrite: 'Reading and writing',
    session: 'Session',
    sessionText: (idle: number, whole: number) =>
      `Ends after ${idle} ${plural(idle, 'hour', 'hours')} without use, ${whole} in any case`,
  },

  account: {
    title: 'Account',
    profile: 'You',
    name: 'Name',
    email: 'Email',
    role: 'Role',
    roles: { administrator: 'Administrator', editor: 'Editor', reader: 'Reader' },
    sessions: 'Where you are signed in',
    device: 'Device',
    address: 'Address',
    created: 'Signed in',
    lastSeen: 'Last seen',
    action: 'Action',
    current: 'This browser',
    unknownDevice: 'Unknown device',
    on: (browser: string, system: string) => `${browser} on ${system}`,
    revoke: 'Sign out',
    revoked: (device: string) => `${device} was signed out.`,
    revokeOthers: 'Sign out everywhere else',
    revokedOthers: 'You are signed out everywhere else.',
    onlyHere: 'You are signed in nowhere else.',
  },

  noTables: {
    title: 'No tables yet',
    text: 'The database holds no table or view that you may see. New ones appear here after a reload.',
    reload: 'Reload',
  },

  errorPage: {
    status: (status: number) => `Status ${status}`,
    notFound: 'Not found',
    notShown: 'This address cannot be shown',
    failed: 'Something went wrong',
    /** What it was about, such as the name of a column. */
    about: (name: string) => `The address says “${name}”.`,
    reference: 'Reference',
    toList: 'Open the list without it',
    toStart: 'Go to the start page',
    toSignIn: 'Sign in',
  },

  /** What goes wrong between browser and server. */
  failures: {
    offline: 'Offline',
    offlineStatus: 'Offline. Retrying…',
    offlineText: 'Rows may be out of date.',
    busy: 'Busy',
    busyStatus: 'Busy. Retrying…',
    busyText: 'The server has much to do.',
    waiting: (count: number) =>
      count === 0
        ? ''
        : `${count} ${plural(count, 'action waits and will be sent.', 'actions wait and will be sent.')}`,
    tryNow: 'Try now',
    serverTitle: 'Server error',
    serverText: 'What you typed is kept.',
    reference: 'Reference',
    escCloses: 'closes',
    expiredTitle: 'This page has expired. Would you like to refresh the page?',
    expiredText: 'What you typed is kept and put back.',
    refresh: 'Refresh',
    notNow: 'Not now',
  },

  keys: {
    title: 'Keys',
    all: 'All keys',
    note: 'Off while you type.',
    anywhere: 'Anywhere',
    home: 'Start page',
    theme: 'Change theme',
    these: 'These keys',
    close: 'Close, put away',
    table: 'Table',
    search: 'Search this table',
    display: 'Display',
    rows: 'Next, previous row',
    cells: 'Cells of the row',
    ends: 'First, last cell of the row',
    tenRows: 'Ten rows on, back',
    pages: 'Next, previous page',
  },
}
