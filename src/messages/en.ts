/** All copy in English: what pages show, and what only the server says. */

/** A number, and the same formatted for the reader. */
type Amount = { readonly count: number; readonly text: string }

const plural = ({ count }: Amount, one: string, many: string) => (count === 1 ? one : many)

/** Labels whose last word means several, without an s. */
const SEVERAL = /(people|men|children|data|media|staff|equipment)$/i

/** “Order 7” of “Orders”. What may mean several with a number says that it is a key. */
function oneOf(label: string, key: string): string {
  const one = label
    .replace(/([^aeiou])ies$/, '$1y')
    .replace(/(ss|us|sh|ch|x)es$/, '$1')
    .replace(/([^sui])s$/, '$1')
  return SEVERAL.test(one) || (one === label && label.endsWith('s'))
    ? `${label}, key ${key}`
    : `${one} ${key}`
}

const TWO_NUMBERS =
  'The point could stand for thousands or for decimals. Leave it out, or write a comma before decimals.'

const inWords = (texts: readonly string[]) => new Intl.ListFormat('en-GB').format(texts)

/**
 * Copy of pages, grouped by screen; the browser loads this part. Values passed to a function are
 * already formatted for the reader.
 */
export const pages = {
  /** Tag of the language, in lower case: the name of this file. */
  language: 'en',
  direction: 'ltr' as const,
  shell: {
    product: 'Tablewire',
    skipToTable: 'Skip to the table',
    skipToContent: 'Skip to the content',
    database: 'Database',
    /** Rows of a table in the sidebar, shortened, such as `302k`. */
    count: { exact: (count: string) => count, estimate: (count: string) => `≈ ${count}` },
    loading: 'Loading',
    openTables: 'Open tables',
    tables: 'Tables',
    breadcrumbs: 'Breadcrumbs',
    groups: {
      pinned: 'Pinned',
      recent: 'Recent',
      pages: 'Pages',
      tables: 'Tables',
      views: 'Views',
      admin: 'Admin',
    },
    more: (table: string) => `More of ${table}`,
    pin: 'Pin to the sidebar',
    unpin: 'Unpin from the sidebar',
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

  live: {
    live: 'Live',
    away: 'Not live',
    paused: 'Paused',
    waits: 'Changes are waiting',
    show: 'Show changes',
    pause: 'Pause',
    resume: 'Go live',
    how: 'How changes are noticed',
    noticedBy: {
      version:
        'Tablewire checks the database file twice a second. Changes made in the admin show at once.',
      triggers: 'The database tells of each write at once, by triggers.',
      asking:
        'Tablewire asks the database for changes, usually twice a second. Changes made in the admin show at once.',
      delayed:
        'Changes made in the admin show at once. Others can show up to five seconds late: the database does not tell sooner.',
    },
    came: ({ count, text }: Amount) => (count === 1 ? `${text} new row` : `${text} new rows`),
    atLeast: (count: string) => `${count} or more`,
    gone: 'Gone',
  },

  list: {
    /** The head of the buttons of the rows' menus. */
    actions: 'Actions',
    /** The button of a row's menu. */
    actionsOf: (row: string) => `Actions for ${row}`,
    create: 'New',
    total: {
      exact: (total: string) => total,
      estimate: (total: string) => `about ${total}`,
      atLeast: (total: string) => `more than ${total}`,
      counting: 'counting…',
      unknown: 'not counted',
    },
    readOnly: 'Read-only',
    allowChanges: 'Allow changes',
    makeReadOnly: 'Make read-only',
    reorder: 'Reorder',
    about: 'About this table',
    tools: 'Table tools',
    rows: 'Rows',
    search: 'Search',
    display: 'Display',
    density: 'Density',
    densities: { compact: 'Compact', comfortable: 'Comfortable', relaxed: 'Relaxed' },
    columns: 'Columns',
    columnWidth: (label: string) => `Width of ${label}`,
    moveColumn: (label: string, place: string, count: string) =>
      `Move ${label}, ${place} of ${count}`,
    pinColumn: (label: string) => `Keep ${label} in sight`,
    column: {
      left: 'Move left',
      right: 'Move right',
      pin: 'Keep in sight',
      hide: 'Hide column',
      narrower: 'Narrower',
      wider: 'Wider',
      fit: 'Width to fit',
      standard: 'Standard columns',
    },
    sort: 'Sort',
    orderFull: 'A list is sorted by at most five columns.',
    onPage: (rows: string) => `${rows} on this page`,
    sum: 'Sum',
    mean: 'Mean',
    fromTo: (first: string, last: string) => `${first}–${last}`,
    range: (range: string, total: string) => `${range} of ${total}`,
    rowsPerPage: 'Rows per page',
    apply: 'Apply',
    pagination: 'Pagination',
    page: (number: string) => `Page ${number}`,
    goToPage: 'Go to page',
    ofPages: (pages: string) => `of ${pages}`,
    lastOf: (pages: string) => `There are only ${pages} pages. This is the last one.`,
    go: 'Go',
    pageOf: (number: string, pages: string) => `Page ${number} of ${pages}`,
    firstPage: 'First page',
    previousPage: 'Previous page',
    nextPage: 'Next page',
    lastPage: 'Last page',
    loading: 'Loading',
    filters: 'Active filters',
    clearSearch: 'Clear search',
    filter: (column: string, value: string) => `${column} ${value}`,
    editFilter: (filter: string) => `Edit filter: ${filter}`,
    removeFilter: (filter: string) => `Remove filter: ${filter}`,
    clearFilters: 'Clear all filters',
  },

  /** Saved views of a list. */
  views: {
    title: 'Views',
    allRows: 'All rows',
    own: 'Mine',
    shared: 'Everyone’s',
    opensWith: 'default',
    narrowed: 'in part',
    changed: 'changed',
    /** The tab of all rows. */
    all: 'All',
  },

  selection: {
    title: 'Selection',
    /** In place of a sum. */
    sumsLate: 'not added up in time',
    count: (rows: string) => `${rows} selected`,
    row: (row: string) => `Select ${row}`,
    page: 'Select page',
    /** How many are selected where their number is not known. */
    all: 'All',
    allBut: (rows: string) => `All but ${rows}`,
    selectAll: (rows: string) => `Select all ${rows}`,
    allMatching: 'Select all that match',
    clear: 'Clear selection',
    actions: 'Bulk actions',
    cleared: 'Selection cleared',
    undo: 'Undo',
    full: 'A selection names at most 1,000 rows. Filter the list, or select all that match.',
    more: 'More',
    exportCsv: 'Export CSV',
    exportOther: 'Export…',
    exportAll: 'Export all columns',
    exportAs: (format: string) => `Export ${format}`,
  },

  filters: {
    title: 'Filters',
    close: 'Close filters',
    closePanel: 'Close',
    allHold: 'All of these must hold',
    match: (rows: string) => `${rows} match`,
    of: (rows: string, whole: string) => `${rows} of ${whole}`,
    apply: 'Apply',
    applyCount: (filters: Amount) =>
      `Apply ${filters.text} ${plural(filters, 'change', 'changes')}`,
    notLoaded: 'The filters could not be loaded. Try again.',
    findFilter: 'Find a filter',
    foundFilters: (found: Amount) =>
      found.count === 0
        ? 'No filter has this name.'
        : `${found.text} ${plural(found, 'filter', 'filters')}`,
    /** What a filter asks, after its label. */
    test: (filter: string) => `Test of ${filter}`,
    modes: {
      range: 'between',
      since: 'since',
      until: 'until',
      contains: 'contains',
      starts: 'starts with',
      equals: 'is',
      'not-contains': 'does not contain',
      'not-starts': 'does not start with',
      'not-equals': 'is not',
      in: 'any of',
      notIn: 'none of',
      empty: 'is empty',
      filled: 'is not empty',
    },
    min: 'Minimum',
    max: 'Maximum',
    thumb: {
      min: (filter: string) => `${filter}, minimum`,
      max: (filter: string) => `${filter}, maximum`,
    },
    from: 'From',
    to: 'To',
    secondDate: 'Add the second date to filter.',
    secondDateStays: 'Add the second date. Until then the filter stays as it was.',
    wrongDate: (text: string, example: string) =>
      `“${text}” is not a date. Write dates such as ${example}.`,
    noSlider: 'No slider: the least and greatest value could not be read. The fields work.',
    twoNumbers: TWO_NUMBERS,
    wrongNumber: (example: string) => `Write a number such as ${example}.`,
    openCalendar: 'Open calendar',
    letters: { Y: 'YYYY', m: 'MM', d: 'DD' },
    presetsTitle: 'Presets',
    inZone: (days: string, zone: string) => `${days} (${zone})`,
    todayIn: (zone: string) => `Days in the time zone ${zone}`,
    presets: {
      today: 'Today',
      yesterday: 'Yesterday',
      thisWeek: 'This week',
      lastWeek: 'Last week',
      last7days: 'Last 7 days',
      last30days: 'Last 30 days',
      thisMonth: 'This month',
      lastMonth: 'Last month',
      thisYear: 'This year',
      lastYear: 'Last year',
    },
    previousMonth: 'Previous month',
    nextMonth: 'Next month',
    days: (days: Amount) => `${days.text} ${plural(days, 'day', 'days')}`,
    chooseEnd: 'Choose the other day',
    clear: 'Clear',
    any: 'Any',
    unset: 'Not set',
    rows: { some: 'Some', none: 'None', every: 'Every' },
    everyNeeds: (table: string) => `Add the conditions that every one of ${table} must fulfil.`,
    addWhere: 'Add conditions',
    changeWhere: 'Change conditions',
    whereOf: (table: string) => `Conditions on ${table}`,
    pasted: 'One value a line',
    tooMany: 'At most 1,000 values.',
    findValue: 'Find a value',
    find: (filter: string) => `Find a value of ${filter}`,
    add: (filter: string) => `Add ${filter}`,
    /** `rows`: how many there are, else what they are called. */
    anyOf: (rows: string) => `Any of ${rows}`,
    remove: (what: string) => `Remove ${what}`,
    search: 'Find',
    values: (found: string) => `${found} found`,
    more: 'There are more. Write more to find others.',
    nothing: 'Nothing found.',
    nothingMore: 'What was found is chosen already.',
    notFound: 'This could not be searched.',
    count: 'Show values',
    notCounted: 'The values could not be counted.',
    again: 'Try again',
    addGroup: 'Add a group',
    changeGroup: 'Change the group',
    builder: 'Conditions',
    group: (place: string) => `Group ${place}`,
    join: 'Rows fulfil',
    all: 'all of these',
    some: 'any of these',
    filter: 'Filter',
    choose: 'Choose a filter',
    addCondition: 'Add a condition',
    removeGroup: 'Remove the group',
    unfinished: 'Conditions without a value are left out.',
    menu: (what: string) => `Filter by ${what}`,
    only: 'Only these',
    allBut: 'All but these',
    set: 'Set a filter',
  },

  moment: {
    /** Letters of a format, as a field shows them while it is empty. */
    letters: { Y: 'YYYY', m: 'MM', d: 'DD', H: 'hh', h: 'hh', G: 'hh', i: 'mm', K: 'AM/PM' },
    wrong: (example: string) => `Write a date and time such as ${example}.`,
    time: 'Time',
    hour: 'Hour',
    minute: 'Minute',
    half: 'AM or PM',
    am: 'AM',
    pm: 'PM',
  },

  record: {
    fields: 'Fields',
    related: 'Related rows',
    nothingIn: 'Nothing in:',
    all: (count: string) => `all ${count}`,
    allOf: (count: string, table: string) => `All ${count} of ${table}`,
    steps: 'Rows of the list',
    previous: 'Previous',
    next: 'Next',
    back: 'Back to the list',
    place: 'Place in the list:',
    /** Name of a row that has none. */
    unnamed: oneOf,
    copy: 'Copy',
    showAll: 'Show all',
    showAllOf: (field: string) => `Show all of ${field}`,
    copied: (field: string) => `${field} was copied.`,
    notCopied: 'The browser did not allow copying. The text is selected.',
    characters: (count: string) => (count === '1' ? '1 character' : `${count} characters`),
    beginning: (size: string) => `${size}, beginning with`,
    deleted: 'Deleted',
    changed: (fields: string) => `Changed just now: ${fields}`,
    goneTitle: 'This row has gone',
    goneText: 'It was deleted, or you may not see it any more.',
  },

  /** Forms of rows. */
  editing: {
    title: 'Editing',
    edit: 'Edit',
    duplicate: 'Duplicate',
    delete: 'Delete',
    save: 'Save',
    cancel: 'Cancel',
    revert: 'Revert',
    required: 'required',
    noValue: 'No value',
    byDatabase: 'Set by the database',
    clear: 'Clear',
    clearOf: (field: string) => `Clear ${field}`,
    search: (table: string) => `Search ${table}`,
    fixed: 'Fields that cannot be edited',
    unsaved: (count: number) =>
      count === 1 ? '1 field changed, not saved' : `${count} fields changed, not saved`,
    leaving: (count: number) =>
      count === 1
        ? 'If you leave now, 1 field is not saved.'
        : `If you leave now, ${count} fields are not saved.`,
    refused: (count: number) =>
      count === 1 ? 'Not saved: 1 field has a problem' : `Not saved: ${count} fields have problems`,
    choose: (count: number) =>
      count === 1
        ? 'Not saved: 1 field needs your choice'
        : `Not saved: ${count} fields need your choice`,
    changedByOthers: 'Somebody else has changed this too.',
    whichStays: 'Which value stays?',
    mine: (value: string) => `Mine: ${value}`,
    theirs: (value: string) => `Theirs: ${value}`,
    draft: (day: string, time: string) => `Unsaved draft from ${day}, ${time}`,
    restore: 'Restore',
    discard: 'Discard',
  },

  /** Cells that are edited in a list. */
  cells: {
    name: (column: string, row: string) => `${column} of ${row}`,
    saveDown: 'save, down',
    saveNext: 'save, next cell',
    putBack: 'put back',
    putBackValue: (value: string) => `Put “${value}” back`,
    notSaved: (count: number, first: string) =>
      count === 1 ? `1 value not saved: ${first}` : `${count} values not saved, such as ${first}`,
    goTo: 'Go to it',
    leaving: 'If you leave now, a value is not saved.',
  },

  /** Changes that were made, and taking them back. */
  changed: {
    title: 'History',
    undo: 'Undo',
    redo: 'Redo',
    undoOf: (what: string) => `Undo: ${what}`,
    look: 'Look at the rows',
    behalf: (who: string) => `for ${who}`,
    becomes: 'is now',
    nothing: 'no value',
    untold: 'Changed; its values are not shown.',
    restore: 'Restore this value',
    restoreOf: (field: string, value: string) => `Restore this value: ${field}, ${value}`,
    left: 'Rows that stay',
    nowHolds: (field: string, value: string) => `${field} is now ${value}.`,
    noneTitle: 'No changes',
    noneText: 'What you and others change here will be listed, and can be taken back.',
    noneHere: 'Nobody has changed this row here.',
    filters: 'Which changes',
    show: 'Show',
    pages: 'Pages of the history',
    newest: 'Newest',
    older: 'Older',
  },

  cell: {
    null: 'no value',
    empty: 'empty text',
    noAccess: 'No access',
    cut: (shown: string, all: string) => `The first ${shown} of ${all} characters`,
    yes: 'Yes',
    no: 'No',
    bytes: (size: string) => `${size} bytes`,
    openPicture: (name: string) => `Open the picture ${name}`,
  },

  link: {
    name: 'Name',
    email: 'Email',
    password: 'Password',
    passwordHint: 'At least 12 characters.',
  },

  /** Beside a sign-in form. */
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
    sessionText: (idle: Amount, whole: Amount) =>
      `Ends after ${idle.text} ${plural(idle, 'hour', 'hours')} without use, ${whole.text} in any case`,
  },

  noTables: {
    title: 'No tables yet',
    text: 'The database holds no table or view that you may see. New ones appear here after a reload.',
    reload: 'Reload',
  },

  errorPage: {
    status: (status: number) => `Status ${status}`,
    notFound: 'Not found',
    notAllowed: 'Not allowed',
    notShown: 'This address cannot be shown',
    refused: 'Not readable',
    failed: 'Something went wrong',
    reference: 'Reference',
    toList: 'Open the list without it',
    toRecord: 'Open the row without it',
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
    waiting: (requests: Amount) =>
      `${requests.text} ${plural(requests, 'request waits.', 'requests wait.')}`,
    tryNow: 'Try now',
    serverTitle: 'Server error',
    forbiddenTitle: 'Not allowed',
    refusedTitle: 'Not done',
    serverText: 'What you typed is kept.',
    foreignText: (status: string) =>
      `Something between your browser and Tablewire answered with status ${status}:`,
    foreignPage: 'The page that was answered',
    tryAgain: 'Try again',
    copyDetails: 'Copy details',
    copied: 'Copied.',
    drawingTitle: 'This part of the page could not be drawn',
    drawingText: 'The rest of the page still works, and what you typed is kept.',
    keepLooking: 'Keep looking (about 20 s)',
    looking: 'Still looking. This ends after about 20 s.',
    slow: 'This takes longer than usual.',
    cancel: 'Cancel',
    changedTitle: 'The table has changed',
    changedText: 'Reload the page to see it as it is now.',
    reload: 'Reload',
    /** Failures that only the browser knows, by code. The server sends sentences for all others. */
    inBrowser: {
      CSRF_MISSING: 'No CSRF token was detected.',
      BAD_ANSWER: 'The server’s answer could not be read.',
      LEFT_PAGE: 'The page was left before an answer came.',
      CANCELLED: 'The request was cancelled.',
    },
    reference: 'Reference',
    escCloses: 'closes',
    expiredTitle: 'This page has expired. Would you like to refresh the page?',
    expiredText: 'What you typed is kept and put back.',
    refresh: 'Refresh',
    notNow: 'Not now',
  },

  /** What whoever leaves a page with something unsaved is asked. */
  leaving: {
    title: 'Leave without saving?',
    leave: 'Leave without saving',
    stay: 'Stay',
  },

  /** The palette: everything that can be found or done, by typing. */
  commands: {
    title: 'Commands',
    open: 'Find or do',
    find: 'Find a table, a record or an action',
    groups: {
      recent: 'Recent',
      tables: 'Tables and pages',
      actions: 'Actions',
      records: 'Records',
      search: 'In all columns',
    },
    searchList: (table: string, text: string) => `Search ${table} for “${text}”`,
    /** What stands beside a record: its table, and its key where that matters. */
    record: (table: string, key: string | null) => (key === null ? table : `${table}, key ${key}`),
    results: 'Results',
    count: (results: Amount) => `${results.text} ${plural(results, 'result', 'results')}`,
    searching: 'Searching records',
    nothingTitle: (text: string) => `Nothing found for “${text}”`,
    nothingText: 'The names of tables, actions and records you may see were searched.',
    failed: 'The records could not be searched.',
    tryAgain: 'Try again',
    notLoaded: 'This could not be loaded. Try again, or reload the page.',
    move: 'move',
    choose: 'open',
    newTab: 'new tab',
    allKeys: 'all keys',
    esc: 'Esc',
  },

  keys: {
    title: 'Keys',
    all: 'All keys',
    note: 'Off while you type. Esc closes what is open.',
    anywhere: 'Anywhere',
    home: 'Start page',
    theme: 'Change theme',
    these: 'These keys',
    table: 'Table',
    search: 'Search this table',
    filters: 'Filters',
    filterHere: 'Filter by this column or cell',
    display: 'Display',
    rows: 'Next, previous row',
    cells: 'Cells of the row',
    ends: 'First, last cell of the row',
    farRows: 'First, last row',
    tenRows: 'Ten rows on, back',
    pages: 'Next, previous page',
    enter: 'Edit the cell, else open the row',
    open: 'Open the row',
    edit: 'Edit the cell',
    selection: 'Selection',
    pick: 'Select row',
    extend: 'Extend',
    pickPage: 'Select page',
    allThatMatch: 'All that match',
    record: 'Row',
    steps: 'Next, previous row of the list',
    back: 'Back to the list',
  },
}

/** What only the server says: it reaches the browser as finished text, if at all. */
export const server = {
  /** Heads of an exported file. */
  exported: {
    /** The name of a related row, beside its key. */
    nameOf: (column: string) => `${column}, name`,
    inUtc: (column: string) => `${column} (UTC)`,
    /** What the numbers of a column count. */
    inUnit: (column: string, unit: string) => `${column} (${unit})`,
  },

  /** Titles of documents. */
  titles: {
    page: (page: string, database: string) => `${page} · ${database}`,
    signIn: 'Sign in',
    link: 'Sign-in link',
    account: 'Account',
    noTables: 'No tables',
    error: 'Error',
  },

  /** The order of rows in words. */
  order: {
    text: (column: string, direction: string) => `${column}, ${direction}`,
    byKey: (column: string) => `${column} by key`,
    byName: (column: string) => `${column} by name`,
    then: (first: string, second: string) => `${first}, then ${second}`,
    ascending: {
      date: 'oldest first',
      time: 'earliest first',
      number: 'smallest first',
      boolean: 'no first',
      text: 'A to Z',
      listed: 'first to last',
    },
    descending: {
      date: 'newest first',
      time: 'latest first',
      number: 'largest first',
      boolean: 'yes first',
      text: 'Z to A',
      listed: 'last to first',
    },
  },

  /** Why a saved view is not written. */
  savedViews: {
    moreThan: (count: string) => `${count}+`,
    noName: 'Give the view a name.',
    longName: (most: string) => `A name has at most ${most} characters.`,
    taken: (name: string) => `There is a view called “${name}” already.`,
    tooMany: (most: string) => `There are ${most} views of this table already. Remove one first.`,
    tooManyTabs: (most: string) => `${most} views are tabs already. Take one of them away first.`,
    changed: (name: string) =>
      `Somebody has changed “${name}” meanwhile. Open it anew, or save yours under another name.`,
    gone: 'Somebody has removed this view meanwhile. Save yours as a new one.',
    narrowed: (name: string) =>
      `“${name}” also has conditions or columns that are not there for you. Save yours under another name.`,
  },

  /** Why something is slow or may not be done, in one sentence. */
  reasons: {
    /** In place of a sum. */
    manyCurrencies: 'more than three currencies',
    noNumbers: 'no numbers',
    unknownCurrency: 'currency not known',
    readOnlyDatabase: 'Changes to this database are not allowed.',
    reorderWithin: (columns: readonly string[]) =>
      `The order counts within ${columns.join(' and ')}: filter the list by one first.`,
    readOnlyTable: 'The configuration allows no changes to this table.',
    readOnlyView: 'This is a view.',
    readOnlyByView: 'The database writes nothing like this through the view.',
    readOnlyNoKey: 'The table has no primary key.',
    readOnlyGrant: 'You may read this table, but not change it.',
    /** What a list is sorted by in a column that shows names of other rows. */
    sortsByKey: 'This column shows names from another table; a list is sorted by their keys.',
    sortsByName: 'This column shows names from another table; a list is sorted by these names.',
    /** Why a list cannot be sorted by a column. */
    guessed: (table: string) =>
      `By its name, this refers to ${table}. The database does not say so.`,
    guessedByType: (table: string) =>
      `By the type beside it, this refers to ${table}. The database does not say so.`,
    guessedByTypes:
      'By the types beside them, these refer to rows of other tables. The database does not say so.',
    unsortable: {
      type: 'Values of this kind have no order, so a list cannot be sorted by them.',
      masked: 'Some values of this column are hidden, so a list cannot be sorted by it.',
      declared: 'The configuration does not let a list be sorted by this column.',
    },
    unordered:
      'These rows have no key. Until you sort them, a row may appear on two pages, or on none.',
    slowSort: (column: string) => `No index serves the order by ${column}; pages may take longer.`,
    slowFilter: 'No index serves this filter in this order; pages may take longer.',
    slowSearch: 'No index serves this search; it reads the whole table.',
    /** In place of the filter that leaves them out. */
    deletedShown: 'Deleted rows are shown, because leaving them out took too long.',
  },
  /** What a filter asks for, in the words of its chip. */
  chip: {
    range: (least: string, greatest: string) => `${least} – ${greatest}`,
    atLeast: (least: string) => `≥ ${least}`,
    atMost: (greatest: string) => `≤ ${greatest}`,
    list: (values: readonly string[], more: number) =>
      [...values, ...(more > 0 ? [`${more} more`] : [])].join(', '),
    notIn: (values: string) => `not ${values}`,
    builder: 'Conditions',
    deleted: { label: 'Deleted rows', value: 'hidden' },
    named: (filter: string, value: string) => `${filter} ${value}`,
    grouped: (conditions: string) => `(${conditions})`,
    joined: {
      and: (conditions: readonly string[], more: number) =>
        [...conditions, ...(more > 0 ? [`${more} more`] : [])].join(' and '),
      or: (conditions: readonly string[], more: number) =>
        [...conditions, ...(more > 0 ? [`${more} more`] : [])].join(' or '),
    },
    /** `where` is what the related rows fulfil, if anything in particular. */
    related: {
      some: (where: string | undefined) => (where === undefined ? 'some' : `some: ${where}`),
      none: (where: string | undefined) => (where === undefined ? 'none' : `none: ${where}`),
      every: (where: string | undefined) => (where === undefined ? 'every' : `every: ${where}`),
    },
    empty: 'empty',
    notEmpty: 'not empty',
    unset: 'neither',
    text: {
      is: {
        contains: (text: string) => `contains “${text}”`,
        starts: (text: string) => `starts with “${text}”`,
        equals: (text: string) => `is “${text}”`,
      },
      not: {
        contains: (text: string) => `does not contain “${text}”`,
        starts: (text: string) => `does not start with “${text}”`,
        equals: (text: string) => `is not “${text}”`,
      },
    },
    since: (day: string) => `since ${day}`,
    until: (day: string) => `until ${day}`,
    /** Days of a zone, which may be other days than elsewhere. */
    inZone: (days: string, zone: string) => `${days} (${zone})`,
    preset: {
      today: 'today',
      yesterday: 'yesterday',
      thisWeek: 'this week',
      lastWeek: 'last week',
      last7days: 'last 7 days',
      last30days: 'last 30 days',
      thisMonth: 'this month',
      lastMonth: 'last month',
      thisYear: 'this year',
      lastYear: 'last year',
    },
  },

  /** What a list without rows says. */
  nothing: {
    emptyTitle: (table: string) => `No rows in ${table} yet`,
    emptyText: 'Rows appear here as they are added.',
    past: { title: 'No rows on this page', text: 'The rows that were here have gone.' },
    noMatch: (search: string) => `Nothing matches “${search}”`,
    holdsIt: (table: string) => `No row of ${table} holds this text.`,
    noneFiltered: (table: string, filters: Amount, isSearched: boolean) =>
      `No row of ${table} matches ${isSearched ? 'the search and ' : ''}the ${filters.count === 1 ? 'filter' : `${filters.text} filters`}.`,
  },

  /** Where a search has found a row, of what the list does not show. */
  found: {
    inColumn: (column: string) => `found in ${column}:`,
    words: (words: Amount) =>
      words.count === 1 ? 'In any column' : `${words.text} words, in any columns`,
    /** Some of them are several words in quotes, or a day. */
    terms: (terms: Amount) =>
      terms.count === 1 ? 'In any column' : `${terms.text} terms, in any columns`,
  },

  /** What an empty list would hold without each of its conditions. */
  keptOut: {
    title: 'Rows without each condition',
    lead: 'What each one keeps out: the rows that there would be without it alone.',
    without: 'Without',
    rows: 'Rows',
    quoted: (search: string) => `“${search}”`,
    still: 'still 0',
    any: 'Without any',
    /** Follows “rows without”. */
    conditions: 'any condition',
    link: (rows: string, condition: string) => `Rows without ${condition}: ${rows}`,
    note: 'A count links to its rows; the other conditions stay as set.',
  },

  /** Putting rows in order; the page is sent these where somebody does so. */
  reorder: {
    order: (column: string) => `By ${column}`,
    unmoved: 'Nothing moved yet',
    moved: (moves: string) => `${moves} moves not saved`,
    movedOne: '1 move not saved',
    leaving: (moves: string) => `If you leave now, ${moves} moves are not saved.`,
    leavingOne: 'If you leave now, 1 move is not saved.',
    span: (order: string, last: string) => `${order}, 1 to ${last}`,
    takeBack: 'Undo last move',
    cancel: 'Cancel',
    save: 'Save order',
    region: 'Reorder',
    move: (row: string) => `Move ${row}`,
    column: 'Move',
    was: 'was',
    keys: 'Space lifts and drops, arrows move, T to the top, B to the bottom, G to a position, Escape puts back',
    lift: 'lift',
    arrows: 'move',
    top: 'to top',
    bottom: 'to bottom',
    position: 'to position',
    back: 'put back',
    /** The same in the list of all keys. */
    keyLift: 'Lift, drop a row',
    keyMove: 'Move the lifted row',
    keyPosition: 'To a position',
    keyBack: 'Put the lifted row back',
    lifted: (row: string, place: string) => `${row} lifted, place ${place}. Arrows move it.`,
    now: (row: string, place: string) => `${row}, place ${place}`,
    dropped: (row: string, place: string) => `${row} dropped at place ${place}`,
    putBack: (row: string, place: string) => `${row} put back to place ${place}`,
    saved: (rows: string) => `The order of ${rows} rows is saved.`,
    savedOne: 'The row’s new position is saved.',
    conflict: 'Nothing was saved: others have changed the order meanwhile.',
    between: (row: string, neighbours: string) => `${row} would now stand ${neighbours}.`,
    elsewhere: (row: string, neighbours: string) => `Meanwhile, ${row} stands ${neighbours}.`,
    betweenRows: (before: string, after: string) => `between ${before} and ${after}`,
    first: (after: string) => `first, before ${after}`,
    last: (before: string) => `last, after ${before}`,
    goOn: 'Save anyway',
    review: 'Look again',
    missing: 'Nothing was saved: a moved row has gone. Its move was dropped.',
    full: 'Nothing was saved: there is no room between the numbers.',
    refused: (message: string) => `The database refused this order. ${message}`,
    dense: 'A move this far may write all rows between.',
    spaceOut: 'Space out positions',
    spacedOut: 'The positions have room between them now.',
    toPosition: (row: string) => `Move ${row} to a position`,
    place: 'Position',
    nextTo: 'Or next to a row',
    findRow: 'Find a row',
    before: 'Before',
    after: 'After',
    beforeRow: (row: string) => `Before ${row}`,
    afterRow: (row: string) => `After ${row}`,
    none: 'No row of this order holds the text.',
    go: 'Move',
    toTop: 'To the top',
    toBottom: 'To the bottom',
  },

  /** What an administrator is told before they allow changes. */
  changes: {
    allow: {
      title: 'Allow changes to this database?',
      lead: 'Until now, Tablewire has only read. From then on, this becomes possible, for whoever may change the rows:',
      confirm: 'Allow changes',
      done: 'Changes are allowed now.',
    },
    takeBack: {
      title: 'Make this database read-only?',
      lead: 'From then on, nobody can change anything here. What was changed stays.',
      confirm: 'Make read-only',
      done: 'The database is read-only now.',
    },
    file: (file: string) => `The file “${file}” can be written.`,
    lockedFile: (file: string) => `The file “${file}” cannot be written.`,
    role: (role: string, update: string, tables: string) =>
      `The database user “${role}” may change rows of ${update} of ${tables} tables.`,
    /** What becomes possible in a table; `order` is the column that keeps it. */
    may: { create: 'add', update: 'correct', delete: 'delete' },
    rows: (may: readonly string[], order: string | undefined) =>
      [
        ...(may.length > 0 ? [`${inWords(may)} rows`] : []),
        ...(order === undefined ? [] : [`put rows in order, by ${order}`]),
      ].join('; '),
    /** Tables of which the same holds; `more` are not named. */
    tables: (labels: readonly string[], more: string | undefined) =>
      inWords([...labels, ...(more === undefined ? [] : [`${more} others`])]),
    noTable: 'In no table can rows be changed.',
    /** Tables that stay as they are. */
    others: ({ count, text }: Amount) =>
      `Nothing can be changed in ${text} other ${count === 1 ? 'table' : 'tables'}.`,
    own: 'Actions and components of your own may write as well, as the policy and the database allow.',
    records: (file: string) => `Tablewire keeps its own records, such as accounts, in “${file}”.`,
    nothing: 'So nothing could be changed. Grant more first.',
  },

  /** What administrators are told of columns that are hidden from everybody. */
  /** Work in the background: what it is about, how it goes, and what became of it. */
  jobs: {
    /** `who` is `null` for one's own. */
    about: (tables: string, who: string | null) =>
      [tables, who === null ? 'by you' : `by ${who}`].filter((part) => part !== '').join(', '),
    of: (total: string) => `of ${total}`,
    waiting: 'Waiting for its turn',
    paused: 'Paused',
    running: 'Running',
    asked: { pause: 'Pausing after this step', cancel: 'Ending after this step' },
    rate: (perSecond: string) => `${perSecond} rows/s`,
    pace: (rate: string, left: string) => `${rate}, ${left} left`,
    done: 'Done.',
    cancelled: 'Cancelled. What was done until then stays.',
    cancelledWith: (result: string) => `Cancelled. ${result}`,
    failed: (why: string) => `Stopped: ${why}`,
    uncertain:
      'Stopped: nobody can tell whether the last step was written, so it is not written again. Compare the rows.',
    orders: {
      pause: 'It pauses after the step under way.',
      resume: 'It goes on.',
      cancel: 'It ends after the step under way; what was done until then stays.',
      late: 'It has ended, or does that already.',
    },
  },
  /** What was changed, by whom, and how it can be taken back. */
  history: {
    title: 'History',
    today: 'Today',
    yesterday: 'Yesterday',
    doors: {
      form: 'form',
      cell: 'cell',
      order: 'order',
      bulk: 'bulk action',
      import: 'import',
      undo: 'undo',
      code: 'code',
    },
    one: {
      added: (table: string, label: string) => `Added ${label} to ${table}`,
      back: (table: string, label: string) => `Brought ${label} back to ${table}`,
      changed: (table: string, label: string) => `Changed ${label} of ${table}`,
      deleted: (table: string, label: string) => `Deleted ${label} from ${table}`,
    },
    /** A row that no link names. */
    quoted: (label: string) => `“${label}”`,
    many: {
      added: (table: string, rows: Amount) =>
        `Added ${rows.text} ${plural(rows, 'row', 'rows')} to ${table}`,
      back: (table: string, rows: Amount) =>
        `Brought ${rows.text} ${plural(rows, 'row', 'rows')} back to ${table}`,
      changed: (table: string, rows: Amount) =>
        `Changed ${rows.text} ${plural(rows, 'row', 'rows')} of ${table}`,
      deleted: (table: string, rows: Amount) =>
        `Deleted ${rows.text} ${plural(rows, 'row', 'rows')} from ${table}`,
    },
    /** Where the number would tell of rows that the reader may not see. */
    some: {
      added: (table: string) => `Added rows to ${table}`,
      back: (table: string) => `Brought rows back to ${table}`,
      changed: (table: string) => `Changed rows of ${table}`,
      deleted: (table: string) => `Deleted rows from ${table}`,
    },
    ordered: (table: string) => `Changed the order of ${table}`,
    sentence: (said: string) => `${said}.`,
    along: (rows: string) => `With ${rows}.`,
    rowsOf: (table: string, rows: Amount) =>
      `${rows.text} ${plural(rows, 'row', 'rows')} of ${table}`,
    otherRows: 'other rows, too',
    undoneBy: (who: string, when: string) => `Taken back by ${who}, ${when}.`,
    takesBack: (when: string) => `Takes back a change of ${when}.`,
    pending: 'Being written.',
    uncertain: 'Nobody can tell whether this was written. Look at the rows.',
    hookFailed: 'What should have followed has failed for a day, and is not tried again.',
    noUndo: {
      pending: 'It is still being written.',
      uncertain: 'Nobody can tell whether it was written.',
      undone: 'Taken back already.',
      readOnly: 'The database takes no changes now.',
      forbidden: 'You may not change these rows.',
      lacking: 'The database took more rows along than are kept.',
    },
    everyone: 'Everyone',
    allTables: 'All tables',
    allDoors: 'All ways',
    anyTime: 'Any time',
    days: (days: Amount) => (days.count === 1 ? 'Since yesterday' : `Last ${days.text} days`),
    filters: { by: 'Who', table: 'Table', door: 'How', since: 'When' },
    kept: (days: string) =>
      `Changes are kept for ${days} days. Those made outside of Tablewire are not among them.`,
    /** How much is kept: changes, and their size on disk where it is known. */
    size: (changes: Amount, size: string | null) =>
      `${changes.text} ${plural(changes, 'change is', 'changes are')} kept${size === null ? '' : `, in ${size}`}.`,
    /** How a row has gone that somebody looks at. */
    gone: {
      deleted: (who: string, when: string) => `Deleted by ${who}, ${when}.`,
      undone: (who: string, when: string) =>
        `Undone by ${who}, ${when}: the row is no longer there.`,
    },
    erasing: {
      button: 'Erase this history',
      title: (row: string) => `Erase the history of “${row}”?`,
      text: 'What this row held before, and who changed it, is forgotten for good. None of its changes can be undone any more. The row itself stays as it is, and the history keeps that you erased this.',
      goneText:
        'What this row held, and who changed it, is forgotten for good, and it cannot be brought back any more. The history keeps that you erased this.',
      done: (table: string) => `Erased the history of a row of ${table}.`,
      door: 'erasure',
      noUndo: 'What was erased is gone.',
      erased: 'The history of this row is erased.',
    },
    /** Changes of who may come in. */
    people: {
      door: 'people',
      command: 'command',
      provider: 'sign-in',
      noUndo: 'Changed on the page of people.',
      withRole: {
        invited: (name: string, role: string, _before: string) => `Invited ${name}: ${role}`,
        provided: (name: string, role: string, _before: string) =>
          `${name} came in for the first time: ${role}`,
        role: (name: string, role: string, before: string) =>
          `Changed the role of ${name} from ${before} to ${role}`,
      },
      /** What people have changed of themselves. */
      ofOneself: {
        name: (before: string, after: string) =>
          `Changed their own name from ${before} to ${after}`,
        passkeyOn: (_before: string, name: string) => `Added the passkey “${name}”`,
        passkeyOff: (name: string, _after: string) => `Removed the passkey “${name}”`,
        email: (before: string, after: string) =>
          `Changed their own address from ${before} to ${after}`,
      },
      what: {
        link: (name: string) => `Made a link by which ${name} chooses a password`,
        withdrawn: (name: string) => `Withdrew the link for ${name}`,
        joined: (name: string) => `${name} came in for the first time`,
        disabled: (name: string) => `Disabled ${name}`,
        enabled: (name: string) => `Enabled ${name}`,
        sessions: (name: string) => `Signed ${name} out everywhere`,
        password: (name: string) => `${name} chose a new password`,
        codesOn: (name: string) => `${name} set up codes as a second factor`,
        codesOff: (name: string) => `${name} no longer uses codes`,
        recovery: (name: string) => `${name} made new recovery codes`,
        recoveryUsed: (name: string) => `${name} signed in with a recovery code`,
        secondOff: (name: string) => `Took the second factor of ${name} away`,
        linked: (name: string) =>
          `${name} comes in through it from now on; password, second factor and sessions of before ended`,
      },
    },
    corrections: {
      door: 'corrections',
      noUndo: 'Changed on the page of corrections.',
      corrected: (part: string, of: string, before: string, after: string) =>
        `Corrected ${part} of ${of} from ${before} to ${after}`,
      first: (part: string, of: string, after: string) => `Corrected ${part} of ${of}: ${after}`,
      back: (part: string, of: string, before: string) =>
        `Put ${part} of ${of} back, which was ${before}`,
      ofColumn: (column: string, table: string) => `${column} in ${table}`,
      none: 'none',
      parts: {
        label: 'the label',
        labelColumn: 'what names a row',
        sort: 'the first order',
        shown: 'the columns in the list',
        kind: 'the kind',
        unit: 'the unit',
        currency: 'the currency',
        minorUnit: 'the smallest unit',
        values: 'the names of values',
      },
    },
    undo: {
      title: (what: string) => `Undo: ${what}`,
      all: (rows: Amount) => `${rows.text} ${plural(rows, 'row', 'rows')} will be as before.`,
      some: (rows: Amount, left: Amount) =>
        `${rows.text} ${plural(rows, 'row', 'rows')} will be as before; ${left.text} ${plural(left, 'stays', 'stay')} as now.`,
      restored: 'Restored.',
      none: 'Nothing can be undone.',
      order: 'Others have changed the order since, so it stays.',
      confirm: (rows: Amount) => `Undo in ${rows.text} ${plural(rows, 'row', 'rows')}`,
      /** Of a change to very many rows. */
      job: {
        label: 'Undo a change',
        lead: 'A job takes it back in steps. Rows that have changed since stay as they are now.',
        confirm: 'Undo by a job',
        started: 'A job takes this back now. It goes on when this page is closed.',
        left: (rows: Amount) => `${rows.text} ${plural(rows, 'row stays', 'rows stay')} as now.`,
      },
      done: (rows: Amount) => `Undone in ${rows.text} ${plural(rows, 'row', 'rows')}.`,
      /** What was taken back was an undo itself. */
      redone: (rows: Amount) => `Redone in ${rows.text} ${plural(rows, 'row', 'rows')}.`,
      why: {
        changed: 'Changed since',
        exists: 'Another row has its key now',
        gone: 'Gone since',
        forbidden: 'You may not change it',
        lost: 'Its values were too large to keep',
        withdrawn: 'A column of it is gone',
      },
    },
  },

  /** What a change to many rows is about to do, and what became of it. */
  sealing: {
    nothingAsked: 'Choose at least one field.',
    copiedFromChanged: 'Copy from a field that is not changed itself.',
    nothingToReplace: 'Write the text that is to be replaced.',
    noRows: 'No row is selected any more.',
    allSo: 'All rows of the selection are so already.',
    /** The head of what says why no row of several can be written. */
    allRefused: {
      edit: 'None of these rows can be changed',
      delete: 'None of these rows can be deleted',
      mark: 'None of these rows can be marked as deleted',
      restore: 'None of these rows can be restored',
    },
    /** Of a row that a person sees and may not change. */
    barred: { update: 'You may not change this row.', delete: 'You may not delete this row.' },
    tooMany: (most: string) => `At most ${most} rows can be changed at once. Select fewer.`,
    tooManyJudged: (most: string) =>
      `This table has rules of its own, which are asked about each row, so at most ${most} rows can be changed at once. Select fewer.`,
    tooLong: 'Finding these rows took too long. Filter the list, and select fewer.',
    /** What is asked for. */
    titles: {
      set: (field: string, value: string, rows: string) => `Set ${field} to ${value} in ${rows}`,
      clear: (field: string, rows: string) => `Clear ${field} in ${rows}`,
      change: (fields: string, rows: string) => `Change ${fields} in ${rows}`,
      delete: (rows: string) => `Delete ${rows}`,
      mark: (rows: string) => `Mark ${rows} as deleted`,
      restore: (rows: string) => `Restore ${rows}`,
    },
    rowsOf: (table: string, rows: Amount) =>
      `${rows.text} ${plural(rows, 'row', 'rows')} of ${table}`,
    /** What is asked of one row, which is named. */
    one: {
      row: (label: string) => `“${label}”`,
      buttons: {
        edit: 'Write 1 row',
        delete: 'Delete',
        mark: 'Mark as deleted',
        restore: 'Restore',
      },
      seal: (time: string, until: string) =>
        `Sealed at ${time}; it can be confirmed until ${until}. If the row has changed by then, nothing is written.`,
      hiddenHanging: 'Rows of tables that you cannot see may refer to it, too.',
      refused: {
        edit: (label: string) => `${label} cannot be changed`,
        delete: (label: string) => `${label} cannot be deleted`,
        mark: (label: string) => `${label} cannot be marked as deleted`,
        restore: (label: string) => `${label} cannot be restored`,
      },
    },
    /** The button. */
    buttons: {
      edit: (rows: Amount) => `Write ${rows.text} ${plural(rows, 'row', 'rows')}`,
      delete: (rows: Amount) => `Delete ${rows.text} ${plural(rows, 'row', 'rows')}`,
      mark: (rows: Amount) => `Mark ${rows.text} ${plural(rows, 'row', 'rows')} as deleted`,
      restore: (rows: Amount) => `Restore ${rows.text} ${plural(rows, 'row', 'rows')}`,
    },
    /** What a field becomes where that differs from row to row. */
    ways: {
      now: 'now',
      copy: (field: string) => `what ${field} holds`,
      add: (amount: string) => `… + ${amount}`,
      multiply: (amount: string) => `… × ${amount}`,
      append: (text: string) => `… + “${text}”`,
      replace: (text: string, by: string) => `“${by}” in place of “${text}”`,
    },
    selected: 'Selected',
    soAlready: 'Already so',
    markedAlready: 'Marked as deleted already',
    notMarked: 'Not marked as deleted',
    refused: 'Refused',
    minus: (count: string) => `−${count}`,
    otherValues: (field: string, rows: Amount) =>
      `${field} holds other values in ${rows.text} ${plural(rows, 'row', 'rows')}.`,
    sameValue: (field: string, rows: Amount) =>
      `${field} is so already in ${rows.text} ${plural(rows, 'row', 'rows')}.`,
    referredBy: (table: string) => `Rows of ${table} refer to it`,
    /** What becomes of rows that refer to deleted ones; without a number where they were not counted. */
    hanging: {
      cascade: (table: string, rows?: Amount) =>
        rows
          ? `${rows.text} ${plural(rows, 'row', 'rows')} of ${table} ${plural(rows, 'is', 'are')} deleted as well.`
          : `Rows of ${table} that refer to them are deleted as well.`,
      setNull: (table: string, rows?: Amount) =>
        rows
          ? `${rows.text} ${plural(rows, 'row', 'rows')} of ${table} ${plural(rows, 'loses its', 'lose their')} link.`
          : `Rows of ${table} lose their link to them.`,
      setDefault: (table: string, rows?: Amount) =>
        rows
          ? `${rows.text} ${plural(rows, 'row', 'rows')} of ${table} will refer to another row.`
          : `Rows of ${table} that refer to them will refer to another row.`,
      none: (table: string, rows?: Amount) =>
        rows
          ? `${rows.text} ${plural(rows, 'row', 'rows')} of ${table} ${plural(rows, 'stays', 'stay')}, and ${plural(rows, 'refers', 'refer')} to nothing then.`
          : `Rows of ${table} that refer to them stay, and refer to nothing then.`,
    },
    hiddenHanging: 'Rows of tables that you cannot see may refer to them, too.',
    seal: (time: string, rows: string, until: string) =>
      `Sealed at ${time} over ${rows}; it can be confirmed until ${until}.`,
    sealAtOnce:
      'If other rows match by then, or a value that was shown has changed, nothing is written, and you see which rows.',
    undoDays: (days: string) => `It can be taken back from the history for ${days} days.`,
    undoNever: 'No history is kept here, so this cannot be taken back.',
    undoLacks: (rows: string) =>
      `The database takes more than ${rows} other rows along, which is more than the history keeps, so this cannot be taken back.`,
    done: {
      edit: (rows: Amount) => `Changed ${rows.text} ${plural(rows, 'row', 'rows')}.`,
      delete: (rows: Amount) => `Deleted ${rows.text} ${plural(rows, 'row', 'rows')}.`,
      mark: (rows: Amount) => `Marked ${rows.text} ${plural(rows, 'row', 'rows')} as deleted.`,
      restore: (rows: Amount) => `Restored ${rows.text} ${plural(rows, 'row', 'rows')}.`,
    },
    changed: 'Nothing was written, because other rows match now.',
    changedValues: 'Nothing was written, because rows have changed since they were shown.',
    typeNumber: (rows: string) => `Type ${rows} to confirm.`,
    gone: 'This plan can no longer be used: it was used before, or an hour has passed. Nothing was written now.',
    notWritten: 'Nothing was written.',
    job: {
      label: 'Change rows',
      written: (rows: Amount) => `${rows.text} ${plural(rows, 'row is', 'rows are')} written.`,
      started: 'A job writes these rows now. It goes on when this page is closed.',
      seal: 'If other rows match by then, nothing is written. A job writes them in steps. Rows that no longer match by then, or have changed since they were shown, are left as they are, and no other row is touched.',
    },
    /** Rows that were not written, as a selection of their own. */
    left: {
      open: (rows: Amount) =>
        `Show the ${rows.text} ${plural(rows, 'row that was', 'rows that were')} not changed`,
      openFirst: (most: string, rows: string) =>
        `Show the first ${most} of the ${rows} rows that were not changed`,
      noMatch: 'No longer matched',
      changed: 'Changed since it was shown',
      rows: 'Rows',
      title: (plan: string) => `Not changed by “${plan}”`,
      gone: 'Rows of a change that is no longer kept',
      others: (reasons: Amount) => `${reasons.text} more ${plural(reasons, 'reason', 'reasons')}`,
      again: (plan: string) => `Try again: ${plan}`,
    },
    /** Actions of a table's own. */
    own: {
      button: (label: string, rows: Amount) =>
        `${label}: ${rows.text} ${plural(rows, 'row', 'rows')}`,
      seal: 'Rows that match no more by then, or have changed since they were shown, are left as they are.',
      undo: 'What it does is its own: it cannot be tried, and is taken back from the history as far as it changes rows there.',
      done: (label: string, rows: Amount) =>
        `${label}: done in ${rows.text} ${plural(rows, 'row', 'rows')}.`,
      left: (rows: Amount) =>
        `${rows.text} ${plural(rows, 'row no longer matches', 'rows no longer match')}.`,
      changed: (rows: Amount) =>
        `${rows.text} ${plural(rows, 'row has changed since it was', 'rows have changed since they were')} shown.`,
      refused: (rows: Amount, reason: string) =>
        `${rows.text} ${plural(rows, 'row', 'rows')}: ${reason}`,
      stopped: (rows: Amount) =>
        `It has ended early: what became of ${rows.text} ${plural(rows, 'row', 'rows')} is not known.`,
      uncertain: 'It was begun before, and it is not known how far it came. It is not repeated.',
      /** Of a job; what an action does need not be writing. */
      job: {
        done: (rows: Amount) => `${rows.text} ${plural(rows, 'row is', 'rows are')} done.`,
        started: 'A job does this now. It goes on when this page is closed.',
        seal: 'If other rows match by then, nothing is done. A job does it in steps. Rows that no longer match by then, or have changed since they were shown, are left as they are.',
      },
      gone: 'The action is not offered any more, or asks for something else by now. Nothing was done.',
    },
    tooManyTried: (most: string) => `At most ${most} rows can be tried.`,
    tried: 'Tried and rolled back: nothing of it stays. This is what the database did.',
    triedTables: {
      inserted: (table: string) => `Added to ${table}`,
      updated: (table: string) => `Changed in ${table}`,
      deleted: (table: string) => `Deleted from ${table}`,
    },
    triedHidden: 'Rows of tables that you cannot see, or of which rows are hidden from you',
    some: 'some',
    atLeast: (count: string) => `${count} or more`,
    triedChanged:
      'Other rows match now than when the plan was sealed, or rows have changed since they were shown.',
  },

  /** Rows of other tables in the form of a row. */
  lines: {
    saved: 'saved with the row, all or none',
    line: 'Line',
    handles: 'Move',
    removing: 'Remove',
    isNew: 'New',
    ofLine: (field: string, line: string) => `${field} of line ${line}`,
    move: (line: string) => `Move line ${line}`,
    moveKeys: 'Drag, or press ↑ or ↓',
    movedTo: (line: string, lines: string) => `Now line ${line} of ${lines}.`,
    remove: (line: string) => `Remove line ${line}`,
    putBack: 'Put back',
    putBackOf: (line: string) => `Put back line ${line}`,
    add: 'Add line',
    sum: 'Sum',
    oneField: '1 field',
    fields: (count: string) => `${count} fields`,
    oneLine: '1 line',
    lines: (count: string) => `${count} lines`,
    both: (fields: string, lines: string) => `${fields} and ${lines}`,
    unsaved: (what: string) => `${what} changed, not saved`,
    leaving: (what: string) => `If you leave now, this is not saved: ${what}.`,
    added: (count: string) => `${count} new`,
    removed: (count: string) => `${count} removed`,
    changedByOthers: 'Somebody else has changed this line.',
    removeAnyway: 'Remove it all the same',
    goneByOthers: 'Somebody else has removed this line.',
    leaveOut: 'Leave it out',
    movedByOthers: 'Somebody else has put these lines in another order. Which one stays?',
    myOrder: 'My order',
    theirOrder: 'Their order',
    openList: (table: string) => `Open the list of ${table}`,
    noScript: 'Without script, these are changed in their own list.',
    addOne: (table: string) => `Add one of ${table}`,
    takeOff: (label: string) => `Take off ${label}`,
  },

  form: {
    /** Titles of fields that belong together, where none are declared. */
    sections: {
      general: 'General',
      figures: 'Figures',
      references: 'Refers to',
      times: 'Dates and times',
      texts: 'Texts',
      more: 'More',
      row: 'Row',
    },
    newTitle: (table: string) => `New row of ${table}`,
    editTitle: (table: string) => `Edit a row of ${table}`,
    mayNotCreate: 'You may not add rows here.',
    saved: (row: string) => `Saved: ${row}`,
    /** What became of a form that was posted without script. */
    notices: { saved: 'Saved.', removed: 'Deleted.', unchanged: 'Nothing was changed.' },
    postedBefore:
      'This form was saved before with something else in it. Save again to write what it holds now.',
    /** What keys do in a cell that is edited, for screen readers. */
    cellKeys: (canClear: boolean) =>
      `Enter saves, Tab saves and goes on, Escape puts the value back.${canClear ? ' Control Delete, or Command Delete, leaves no value.' : ''}`,
    changedBy: (name: string, when: string) => `${name} changed this, ${when}.`,
    changedOutside: 'This was changed outside Tablewire.',
    tooManyLines: (count: string) => `There are ${count}, too many for a form.`,
    tooManyHere: 'There are too many of these now to be saved here.',
    orderChanged: 'Somebody else has put these in another order.',
    choose: 'Choose one of those that are offered.',
    created: 'Created.',
    deleted: (row: string) => `Deleted: ${row}`,
    deleteTitle: (table: string) => `Delete this row of ${table}?`,
    refusedTitle: (table: string) => `This row of ${table} cannot be deleted`,
    /** Whether it can be brought back. */
    afterwards: {
      kept: 'It can be brought back from the history for as long as changes are kept.',
      tooMuch: (rows: string) =>
        `Undo will not be offered: the database takes more than ${rows} rows along, which is more than the history keeps.`,
      tooLarge: 'Undo will not be offered: a value of it is too large for the history.',
    },
    /** Deleting a row by setting a column. */
    marking: {
      does: (field: string) =>
        `“${field}” is set to the present moment. The row stays in the table and can be restored.`,
      otherwise: 'It can also be deleted for good.',
      button: 'Mark as deleted',
      deleteButton: 'Delete for good',
      marked: (row: string) => `Marked as deleted: ${row}`,
      restored: (row: string) => `Restored: ${row}`,
      isMarked: (when: string) => `This row is marked as deleted: ${when}.`,
    },
    atLeast: (count: string) => `at least ${count}`,
    /** What becomes of rows that refer to a deleted one. */
    hanging: {
      cascade: (table: string, rows: Amount) =>
        `${rows.text} ${plural(rows, 'row', 'rows')} of ${table} ${plural(rows, 'goes', 'go')} with it.`,
      setNull: (table: string, rows: Amount) =>
        `${rows.text} ${plural(rows, 'row', 'rows')} of ${table} ${plural(rows, 'loses its', 'lose their')} link to it.`,
      setDefault: (table: string, rows: Amount) =>
        `${rows.text} ${plural(rows, 'row', 'rows')} of ${table} will refer to another row.`,
      none: (table: string, rows: Amount) =>
        `${rows.text} ${plural(rows, 'row', 'rows')} of ${table} ${plural(rows, 'stays', 'stay')}, and ${plural(rows, 'refers', 'refer')} to nothing then.`,
      /** `isLast`: of several lines, the last one says what follows of them. */
      restrict: (table: string, rows: Amount, isLast: boolean) =>
        `${rows.text} ${plural(rows, 'row', 'rows')} of ${table} ${plural(rows, 'refers', 'refer')} to it${isLast ? ', so the database will not delete it' : ''}.`,
    },
    /** Why a field is shown and not asked. */
    fixed: {
      generated: 'Written by the database itself.',
      identity: 'Numbered by the database itself.',
      bytes: 'Bytes cannot be edited here.',
      manyBytes: (most: string) => `More than ${most} cannot be replaced here.`,
      forbidden: 'You may not change this.',
      file: 'Files are changed in the form of the row.',
      tooLong: 'Too long to be edited here.',
    },
    notes: {
      masked: 'It holds a value that is not shown. What you write replaces it.',
      key: 'Other rows and links name the row by this.',
      zone: (zone: string) => `In the time zone ${zone}.`,
    },
    files: {
      gone: 'The file is no longer there. Choose it again.',
      takenOut: (name: string) =>
        `${name} has been taken out of this row. Remove it here, or choose it again.`,
      used: (name: string) => `${name} has been saved in another row already. Choose it again.`,
      tooMany: 'The row has no room for so many files.',
    },
    noSuchRow: (table: string, name: string) => `${table} has no row that is called “${name}”.`,
    amountAgain: (amount: string, currency: string) =>
      `${amount}: say the amount again in ${currency}, which has other digits after the point.`,
    /** How a field is read, where that was another way when it was drawn. */
    enteredNow: {
      currency: (code: string) => `This is entered in ${code} now. Enter it again.`,
      ofRow: 'This is entered in the currency of its row now. Enter it again.',
      moment: (zone: string) =>
        `This is entered as a date and time in the time zone ${zone} now. Enter it again.`,
      number: 'This is entered as the number that is stored now. Enter it again.',
    },
    /** Why a text is no value of its column. */
    unreadable: {
      number: 'Write a number.',
      digits: 'Write fewer digits: this column would round the number.',
      ambiguous: TWO_NUMBERS,
      currency: 'Choose the currency of this amount.',
      whole: 'Write a whole number.',
      date: 'Write a date such as 2024-03-05.',
      time: 'Write a time such as 14:30.',
      moment: 'Write a date and time such as 2024-03-05 14:30.',
      countedYears: 'Write a date from 1998 to 2099.',
      json: 'This is not valid JSON.',
      yesNo: 'Choose yes or no.',
      bytes: 'Bytes cannot be written as text.',
    },
    /** What the form of an action of a table's own takes. */
    limits: {
      needed: 'Give a value.',
      listed: 'Choose one of the listed values.',
      longer: (least: Amount) =>
        `Write at least ${least.text} ${plural(least, 'character', 'characters')}.`,
      shorter: (most: Amount) =>
        `Write at most ${most.text} ${plural(most, 'character', 'characters')}.`,
      least: (least: string) => `Write ${least} or more.`,
      most: (most: string) => `Write ${most} or less.`,
      above: (bound: string) => `Write more than ${bound}.`,
      below: (bound: string) => `Write less than ${bound}.`,
      /** By the format of a text. */
      formats: {
        email: 'Write an address such as ana@example.org.',
        uri: 'Write an address such as https://example.org.',
        date: 'Write a date such as 2024-03-05.',
        time: 'Write a time such as 14:30.',
        'date-time': 'Write a date and time such as 2024-03-05 14:30.',
      },
      other: 'This value is not accepted.',
    },
  },

  /** Why a change was not written. */
  problems: {
    required: (field: string) => `${field} is required.`,
    requiredSomewhere: 'A field that you cannot see is required.',
    tooLong: (field: string, most: string) => `${field} can hold at most ${most} characters.`,
    outOfRange: (field: string, digits: string) =>
      `${field} can hold at most ${digits} digits before the point.`,
    tooPrecise: (field: string, digits: string) =>
      `${field} can hold at most ${digits} digits after the point.`,
    notAllowed: (field: string) => `${field} takes one of the listed values.`,
    type: (field: string) => `${field} cannot hold this value.`,
    unique: (fields: string) => `Another row has the same ${fields}.`,
    check: (fields: string) => `The database does not accept this: ${fields}.`,
    asksFor: (condition: string) => `Its rule is: ${condition}`,
    reference: (field: string) => `${field} names a row that does not exist.`,
    referred: 'Other rows refer to this one.',
    trigger: 'The database refused the change.',
    ambiguous: 'More than one row has this key, so none was written.',
    leaving: 'The view would no longer show this row, so it was not written.',
    view: 'The database does not write this through the view.',
    conflict: (fields: string) => `Somebody has changed this meanwhile: ${fields}.`,
    rowConflict: 'Somebody has changed this row meanwhile.',
    missing: 'This row is gone, or you may not change it.',
    forbidden: 'You may not do this.',
    forbiddenField: (field: string) => `You may not change ${field}.`,
    other: 'The database refused this value.',
  },

  hidden: {
    title: (columns: string) => `Hidden from everybody, ${columns}`,
    note: 'only administrators see this list',
    copy: 'Copy lines',
    text: 'Nobody can read, sort, search or write it, and its values are not shown here either. If it is no secret, say so in tablewire.config.ts; it is seen from the next start.',
  },

  /** What a column holds. */
  about: {
    kinds: {
      text: 'Text',
      longtext: 'Long text',
      number: 'Number',
      money: 'Money',
      boolean: 'Yes or no',
      date: 'Date',
      datetime: 'Date and time',
      time: 'Time',
      status: 'Status',
      key: 'Key',
      relation: 'Reference',
      email: 'Email',
      link: 'Link',
      image: 'Picture',
      file: 'File',
      colour: 'Colour',
      json: 'JSON',
      binary: 'Bytes',
      coordinate: 'Coordinate',
    },
    /** `type`: as the database calls it. */
    column: (kind: string, type: string, isNullable: boolean) =>
      [kind, type, ...(isNullable ? ['may be empty'] : [])].filter(Boolean).join(' · '),
  },

  /** What administrators correct of what is inferred. */
  corrections: {
    menu: { table: 'Correct this table…', column: 'Correct this column…' },
    title: (label: string) => `Correct ${label}`,
    done: { saved: 'Saved for everyone.', back: 'Put back.', none: 'Nothing was changed.' },
    read: (value: string) => `Read as “${value}”.`,
    readNone: 'Read as none.',
    changed: (part: string, name: string, time: string) =>
      `Nothing was saved: ${name} has changed this meanwhile, ${time}: ${part}. Save again to put yours in its place.`,
    by: (name: string, time: string) => `Corrected by ${name}, ${time}.`,
    code: (option: string) => `Declared by code: ${option}`,
    gone: (part: string, name: string) => `${part}: “${name}” is no longer there.`,
    unfitting: (part: string) => `${part}: it no longer suits the table, or what code declares.`,
    named: (table: string) => `read from ${table}`,
    ofColumn: (column: string, type: string) => `${column}, ${type}`,
    valueNamed: (stored: string, name: string) => `${stored}: ${name}`,
    currencies: 'One currency for all',
    currencyNamed: (code: string, name: string) => `${code}, ${name}`,
    rows: (rows: Amount) => `${rows.text} ${plural(rows, 'row', 'rows')}`,
    withUnit: (kind: string, unit: string) => `${kind}, ${unit}`,
    none: 'None',
    nothing: 'nothing',
    ascending: (column: string) => column,
    descending: (column: string) => `${column}, descending`,
    parts: {
      label: 'Label',
      labelColumn: 'A row’s name',
      sort: 'First order',
      shown: 'Columns in the list',
      kind: 'Kind',
      unit: 'Unit',
      currency: 'Currency',
      minorUnit: 'Smallest unit',
      values: 'Names of values',
    },
    hints: {
      label: 'Its name for people.',
      labelColumn: 'One column, or several that name it together.',
      sort: 'Until somebody chooses another one.',
      shown: 'Until somebody chooses others. What names a row stands first.',
      kind: 'How its values are shown. None is converted.',
      unit: 'Stands in the head, once.',
      currency: 'A column that says it of each amount, or the one currency of all.',
      minorUnit: 'A word for what its whole numbers count, such as cents. Empty for whole amounts.',
      values: 'What people read in the place of what is stored. Sums and order use what is stored.',
    },
    words: {
      save: 'Save for everyone',
      saved: 'Saved for everyone.',
      refused: 'Nothing was saved. What is wrong stands beside its field.',
      onlyYou: 'The table shows them to you only',
      none: 'None',
      unchanged: 'Nothing is changed yet',
      putAllBack: 'Put everything back as read',
      unsaved: 'If you leave now, these corrections are not saved.',
      close: 'Close',
      bar: 'Corrections',
      oneChange: '1 change, not saved',
      changes: (count: string) => `${count} changes, not saved`,
      putBack: 'Put back',
      putBackOf: (label: string) => `Put back: ${label}`,
      ignored: 'Not in effect',
      cancel: 'Back to the list',
      whole: 'All of the table',
      then: (place: string) => `then ${place}`,
      direction: (place: string) => `Direction ${place}`,
      ascending: 'Ascending',
      descending: 'Descending',
      place: (label: string) => `Place of ${label}`,
      stored: (place: string) => `Value ${place}`,
      named: (place: string) => `Name ${place}`,
      another: 'Name another value',
      value: 'Value',
      shownAs: 'Shown as',
      correct: (label: string) => `Correct ${label}`,
    },
  },

  /** Why a column is hidden from everybody. */
  hiddenBy: {
    declared: 'declared as hidden',
    name: (words: string) => `its name says “${words}”`,
    table: (table: string) => `its table is called “${table}”`,
    neighbour: (column: string) => `it stands beside “${column}”`,
    reference: (table: string) => `it refers to a secret of “${table}”`,
    setting: (column: string) => `shown in rows that “${column}” calls no secret`,
    value: 'a value begins as keys and hashes of passwords do',
  },

  /** What there is to know about a row and its values. */
  row: {
    /** Where it stands in a list. */
    place: (number: string, total: string) => `${number} of ${total}`,
    /** Names a group of related rows: their table, and the column that refers to this row. */
    relatedBy: (table: string, column: string) => `${table} (${column})`,
    storedAs: (text: string) => `Stored as ${text}`,
    /** Said once for all times of a row. */
    naive: 'Times as stored, without a time zone',
    download: 'Download',
    lostFile: 'The file is no longer in the storage.',
    notAllFiles: 'These are the first of its files.',
    naiveUnlessNamed: 'Times as stored, without a time zone unless one is named',
  },

  /** What a search for records over all tables has left out. */
  find: {
    partial: 'Some tables took too long to search.',
    skipped: (tables: readonly string[]) =>
      `Not searched, because no index serves it: ${tables.slice(0, 3).join(', ')}${tables.length > 3 ? ' …' : ''}.`,
  },

  presence: {
    label: 'Also here',
    onRecord: 'Also on this record',
    somebody: 'Somebody',
    here: (name: string) => `${name} is here`,
    looking: (name: string) => `${name} is looking at this record`,
    idle: (name: string) => `${name}, idle`,
  },
  roles: { admin: 'Administrator', editor: 'Editor', viewer: 'Reader' },

  /** What the page of a one-time link says, by what the link does. */
  links: {
    account: {
      title: 'Set up the first account',
      lead: () => 'It becomes the administrator of this Tablewire. The link works once.',
      submit: 'Create account',
    },
    colleague: {
      title: 'Make your account',
      lead: () => 'The link works once.',
      submit: 'Create account',
    },
    password: {
      title: 'Choose a password',
      lead: (email: string) =>
        `You will sign in as ${email}. The link works once, and ends the sessions you may have elsewhere.`,
      submit: 'Save and sign in',
    },
    signIn: {
      title: 'Sign in with this link',
      lead: (email: string) => `You will be signed in as ${email}. The link works once.`,
      submit: 'Continue',
    },
  },

  /** The page of what each role may do. */
  rolesPage: {
    looking: {
      text: (role: string) => `You see Tablewire as ${role}. Nothing can be changed.`,
      stop: 'Stop',
    },
    readOnly: 'The database takes no changes now, so nothing of this can be changed yet',
    forYou:
      'Where rows depend on the person, what is said here and what you see as this role holds for you',
    allRows: 'All rows',
    rowsWhere: (condition: string) => `Rows where ${condition}`,
    ofRows: (what: string, condition: string) => `${what}, where ${condition}`,
    all: 'All columns',
    yes: 'Yes',
    without: (columns: string) => `without ${columns}`,
    only: (columns: string) => `only ${columns}`,
    named: (columns: readonly string[], more: string | null) =>
      `${columns.join(', ')}${more === null ? '' : ` and ${more} more`}`,
    conditions: {
      and: (parts: readonly string[]) => parts.join(' and '),
      or: (parts: readonly string[]) => `(${parts.join(' or ')})`,
      not: (condition: string) => `not (${condition})`,
      all: 'anything holds',
      none: 'nothing holds',
      empty: (column: string) => `${column} is empty`,
      eq: (column: string, value: string) => `${column} is ${value}`,
      lt: (column: string, value: string) => `${column} is less than ${value}`,
      lte: (column: string, value: string) => `${column} is at most ${value}`,
      gt: (column: string, value: string) => `${column} is more than ${value}`,
      gte: (column: string, value: string) => `${column} is at least ${value}`,
      in: (column: string, values: readonly string[], more: string | null) =>
        `${column} is one of ${values.join(', ')}${more === null ? '' : ` and ${more} more`}`,
      contains: (column: string, text: string) => `${column} contains “${text}”`,
      starts: (column: string, text: string) => `${column} starts with “${text}”`,
      related: (column: string, condition: string) => `of ${column}, ${condition}`,
      referred: (table: string, condition: string) => `of some of its ${table}, ${condition}`,
      text: (value: string) => `“${value}”`,
      bytes: 'these bytes',
    },
    words: {
      title: 'Roles',
      which: 'Which role',
      search: 'Find a table',
      mayOf: (role: string) => `What ${role} may do`,
      table: 'Table',
      reads: 'Reads',
      creates: 'Creates',
      changes: 'Changes',
      deletes: 'Deletes',
      no: 'No',
      unseen: 'Sees nothing of',
      noneTitle: 'No such table',
      noneText: 'No table has such a name.',
      seeAs: (role: string) => `See it as ${role}`,
    },
  },

  /** The start page of somebody whose role is not defined. */
  noRole: {
    title: 'Your role sees no table',
    text: (role: string, administrators: string) =>
      `You have the role “${role}”, which is none that Tablewire knows, and nothing else lets it see a table. Ask ${administrators || 'an administrator'} for another role.`,
  },

  /** The people who may come in. */
  directory: {
    title: 'People',
    tabs: { all: 'All', active: 'Active', invited: 'Invited', disabled: 'Disabled' },
    /** What a role may do, as counts of tables. */
    may(of: {
      readonly isAdministrator: boolean
      readonly all: Amount
      readonly read: Amount
      readonly changed: Amount
    }) {
      const { all, read, changed } = of
      if (read.count === 0) return 'Sees no table'
      const reads = read.count === all.count ? 'all tables' : `${read.text} of ${all.text} tables`
      const changes = changed.count === 0 ? 'nothing' : `rows in ${changed.text}`
      const more = of.isAdministrator ? '; manages people and settings' : ''
      return `Reads ${reads}, changes ${changes}${more}`
    },
    /** Of a role that the definition no longer has. */
    notDefined: 'No longer defined, so it may do nothing',
    helpAndMay: (help: string, may: string) => `${help.replace(/[.\s]+$/, '')}. ${may}`,
    roleWithText: (role: string, text: string) =>
      `${role}: ${text.charAt(0).toLowerCase()}${text.slice(1)}`,
    worksOnce: (until: string) => `once, until ${until}`,
    replaces: 'An earlier link for them no longer works.',
    never: 'never',
    disabledSince: (since: string) => `Disabled since ${since}`,
    invitedUntil: (until: string) => `Invited, the link works until ${until}`,
    linkUntil: (until: string) => `A link for a new password works until ${until}`,
    linkOver: 'Invited, but the link no longer works',
    /** Of somebody whose name others have as well. */
    called: (name: string, email: string) => `${name} (${email})`,
    /** Of its page. */
    words: {
      title: 'People',
      roles: 'What roles may do',
      invite: 'Invite a person',
      inviteLead: 'They open a link, choose a password, and are in.',
      makeLink: 'Make the link',
      name: 'Name',
      email: 'Email',
      role: 'Role',
      linkFor: (name: string) => `The link for ${name}`,
      link: 'Link',
      copy: 'Copy link',
      copied: 'The link is copied.',
      signsInAs: 'Signs in as',
      works: 'Works',
      withdraw: 'Withdraw it',
      done: 'Done',
      search: 'Search people',
      show: 'Which people',
      you: '(you)',
      person: 'Person',
      may: 'Role and what it may do',
      lastSeen: 'Last seen',
      sessions: 'Sessions',
      action: 'Action',
      actionsFor: (name: string) => `What can be done with ${name}`,
      askRole: 'Change role …',
      newLink: 'New link …',
      passwordLink: 'Link for a new password …',
      withdrawLink: 'Withdraw the link',
      withdrawInvitation: 'Withdraw the invitation',
      endSessions: 'Sign out everywhere',
      askSecondOff: 'Take the second factor away …',
      withSecondFactor: 'second factor',
      askDisable: 'Disable …',
      enable: 'Enable',
      roleOf: (name: string) => `Role of ${name}`,
      changeRole: 'Change role',
      disableTitle: (name: string) => `Disable ${name}?`,
      disableText:
        'They are signed out everywhere at once and cannot sign in. What they have done stays, and you can enable them again.',
      disable: 'Disable',
      secondOffTitle: (name: string) => `Take the second factor of ${name} away?`,
      secondOffText:
        'Their codes, recovery codes and passkeys end, and the password alone signs them in. Do it for somebody who has lost them, once you are sure that it is they who ask.',
      secondOffAnewText:
        'Their codes, recovery codes and passkeys end, they are signed out, and at the next sign-in whoever has the password sets up a second factor anew. Do it for somebody who has lost theirs, once you are sure that it is they who ask.',
      secondOff: 'Take it away',
      toldRole: (name: string, role: string) => `${name} is now: ${role}.`,
      toldWithdrawn: (name: string) => `The link for ${name} no longer works.`,
      toldEnded: (name: string) => `${name} is signed out everywhere.`,
      toldSecondOff: (name: string) => `${name} signs in with the password alone.`,
      toldSecondOffAnew: (name: string) => `${name} sets up a second factor at the next sign-in.`,
      toldDisabled: (name: string) => `${name} is disabled.`,
      toldEnabled: (name: string) => `${name} can sign in again.`,
      noneTitle: 'Nobody here',
      noneText: 'No person matches.',
    },
  },

  /** The page of signing in. */
  signIn: {
    title: 'Sign in',
    lead: 'Sign in here, or open a sign-in link. Whoever runs Tablewire finds one in its terminal.',
    email: 'Email',
    password: 'Password',
    submit: 'Sign in',
  },

  /** People whom an OpenID provider signs in. */
  providers: {
    signIn: (name: string) => `Sign in with ${name}`,
    byIt: (name: string) => `signs in with ${name}`,
    you: (name: string) =>
      `You sign in with ${name}, which also says what your role is. You have no password here.`,
  },

  /** Codes, recovery codes and passkeys. */
  secondFactor: {
    left: (codes: Amount) =>
      `${codes.text} recovery ${plural(codes, 'code is', 'codes are')} left.`,
    since: (when: string) => `In use since ${when}.`,
    added: (when: string) => `added ${when}`,
    lastUsed: (when: string) => `last used ${when}`,
    words: {
      askTitle: 'One more step',
      askLead: 'Your account asks for a code.',
      setUpTitle: 'Set up a second factor',
      setUpLead: 'Everybody who signs in here needs a code besides the password.',
      code: 'Code',
      codeHint: 'From your app, or one of your recovery codes.',
      firstCodeHint: 'The six digits that the app shows now.',
      confirm: 'Sign in',
      finish: 'Turn codes on',
      again: 'Sign in as somebody else',
      continue: 'I have kept them',
      qr: 'QR code for your app',
      scan: 'Scan this with an app for codes, then enter what it shows.',
      byHand: 'Or type this into the app; on this device, it opens the app:',
      recovery: 'Your recovery codes',
      recoveryLead:
        'Keep them where only you find them. Each signs you in once if you lose your device. They are shown only now.',
      title: 'Second factor',
      lead: 'A code or a passkey is asked besides your password.',
      none: 'Nothing but your password is asked.',
      codes: 'Codes of an app',
      setUp: 'Set up codes',
      password: 'Current password',
      turnOff: 'Turn codes off',
      newRecovery: 'New recovery codes',
      newRecoveryHint: 'The earlier ones no longer work.',
      or: 'or',
      usePasskey: 'Sign in with a passkey',
      passkeyFailed: 'The browser gave no passkey. Try again.',
      passkeys: 'Passkeys',
      passkeysLead:
        'A passkey signs you in by your finger, your face or a key, without the password. It also stands for a code.',
      passkeysPlaceless:
        'Passkeys belong to one address: they can be had once Tablewire is started with --url, and https or localhost.',
      addPasskey: 'Add a passkey',
      passkeyName: 'Name',
      passkeyNameHint: 'What you will know it by, such as the name of the device.',
      createPasskey: 'Continue with the browser',
      removePasskey: 'Remove',
    },
  },

  /** Mail with a link by which a person chooses a password. */
  mail: {
    hello: (name: string) => `Hello ${name},`,
    invitation: {
      subject: (host: string) => `You are invited to ${host}`,
      lead: (by: string, host: string) =>
        `${by} invites you to ${host}. Open this link, and choose a password:`,
      button: 'Choose a password',
    },
    password: {
      subject: (host: string) => `A new password for ${host}`,
      lead: (by: string, host: string) =>
        `${by} has made a link by which you choose a new password for ${host}. It ends the sessions that you have there:`,
      button: 'Choose a new password',
    },
    works: (until: string) =>
      `It works once, until ${until}. If you were sent several links, only the newest works.`,
    unwanted: 'If you expect no such mail, do nothing: without the link nobody comes in.',
    /** What became of it, beside the link. */
    delivery: {
      none: () => 'Give it to them yourself: Tablewire sends no mail here. It is shown only now.',
      sent: (email: string) => `It was sent to ${email}. Here it is shown only now.`,
      address: (email: string) =>
        `It was not sent: no mail can be sent to ${email}. Give it to them yourself; it is shown only now.`,
      silent: () =>
        'It was not sent: the mail server does not answer. Give it to them yourself; it is shown only now.',
      signIn: () =>
        'It was not sent: the mail server does not accept the name and password in SMTP_URL. Give it to them yourself; it is shown only now.',
      recipient: (email: string) =>
        `It was not sent: the mail server refuses ${email}, or what SMTP_FROM says. Give it to them yourself; it is shown only now.`,
      refused: () =>
        'It was not sent: the mail server refused it, and the log says how. Give it to them yourself; it is shown only now.',
      package: () =>
        'It was not sent: the package “nodemailer” is not installed. Give it to them yourself; it is shown only now.',
      placeless: () =>
        'It was not sent: Tablewire does not know the address that browsers reach it by. Start it with --url. Give the link to them yourself; it is shown only now.',
    },
  },

  /** The page of one's own account. */
  you: {
    done: {
      saved: 'Saved.',
      password: 'Your password is changed, and you are signed out everywhere else.',
      ended: 'That browser is signed out.',
      endedOthers: 'You are signed out everywhere else.',
      codesOn:
        'Codes are asked from now on. If you have not kept your recovery codes, make new ones here.',
      codesOff: 'Codes are no longer asked.',
      passkey: 'The passkey is added.',
      passkeyRemoved: 'The passkey is removed.',
    },
    words: {
      title: 'Account',
      hosted:
        'The application around Tablewire signs you in. Your name, address and password are changed there.',
      you: 'You',
      name: 'Name',
      email: 'Email',
      role: 'Role',
      roleHint: 'An administrator can change it.',
      confirm: 'Password',
      confirmHint: 'The one that you have, if you change the address: you sign in with it.',
      save: 'Save',
      password: 'Password',
      current: 'Current password',
      next: 'New password',
      nextHint:
        'At least 12 characters. You stay signed in here, and are signed out everywhere else.',
      changePassword: 'Change password',
      sessions: 'Where you are signed in',
      device: 'Device',
      address: 'Address',
      created: 'Signed in',
      lastSeen: 'Last seen',
      action: 'Action',
      here: 'This browser',
      end: 'Sign out',
      endOthers: 'Sign out everywhere else',
      onlyHere: 'You are signed in nowhere else.',
      look: 'How you see it',
      theme: 'Theme',
      system: 'As the system',
      light: 'Light',
      dark: 'Dark',
      density: 'Rows',
      compact: 'Compact',
      comfortable: 'Comfortable',
      relaxed: 'Relaxed',
      timeZone: 'Time zone',
      language: 'Language',
      asBrowser: 'As the browser',
      lookHint: 'Kept with your account, for every browser.',
    },
  },

  /** What a session was opened with, in the list of sessions. */
  devices: {
    on: (browser: string, system: string) => `${browser} on ${system}`,
    headless: (browser: string) => `Headless ${browser}`,
    browser: 'Unknown browser',
    program: 'A program',
    unknown: 'Unknown device',
  },

  /** Messages by the error codes of `protocol/errors.ts`. */
  errors: {
    REQUEST_MALFORMED: 'The request could not be read.',
    JSON_MALFORMED: 'The request is not valid JSON.',
    MARKER_MISSING: 'The request is not a component update.',
    SIGN_IN_REQUIRED: 'Sign in to continue.',
    SIGN_IN_FAILED: 'The email or the password is not right.',
    SECOND_FACTOR_REQUIRED: 'This account asks for a second factor.',
    CODE_WRONG: 'The code is not right, or was used before.',
    PASSKEY_REFUSED: 'The passkey was not accepted. Try again, or use your password.',
    PROVIDER_ANSWER:
      'This sign-in was begun elsewhere or too long ago, or was not finished. Try again.',
    FORBIDDEN: 'You may not do this.',
    PROVIDER_REFUSED: 'You were signed in, but may not come in here.',
    NOT_EMBEDDABLE: 'This page cannot be part of another page.',
    ONLY_LOOKING:
      'You see Tablewire as another role does, so nothing can be changed. Press Stop first.',
    NOT_FOUND: 'There is nothing here, or you may not see it.',
    REQUEST_TIMEOUT: 'The request took too long to arrive. Try again.',
    UPLOAD_OFFSET: 'These bytes do not follow on those that have arrived.',
    CHANGED_MEANWHILE: 'Nothing was saved: somebody has changed this meanwhile.',
    REQUEST_TOO_LARGE: 'The request is too large.',
    ADDRESS_TOO_LONG: 'The address is too long.',
    CONTENT_TYPE: 'The request must be application/json.',
    PAGE_EXPIRED: 'This page has expired.',
    HOST_UNKNOWN:
      'This server does not answer to this name. If the name is yours, start Tablewire with --url and its address.',
    REFUSED: 'This was refused.',
    REQUEST_INVALID: 'The request has the wrong shape.',
    UPDATE_INVALID: 'There is no such property.',
    PROPERTY_LOCKED: 'This property cannot be changed from the browser.',
    ARGUMENTS_INVALID: 'The action was given the wrong arguments.',
    KEY_REUSED: 'This idempotency key belongs to another request.',
    TABLE_UNKNOWN_COLUMN:
      'The request names something that does not exist, or that you may not see.',
    TABLE_BAD_SORT: 'The table cannot be sorted like this.',
    TABLE_BAD_PLACE: 'The place in this address does not fit its order.',
    TABLE_BAD_PARAMETER: 'A parameter of the address is not known, or its value does not fit.',
    TABLE_READ_ONLY: 'These rows cannot be changed.',
    TABLE_NO_SELECTION: 'Rows of this table cannot be selected.',
    TABLE_BAD_KEY: 'No row of this table can have this key.',
    PASSWORD_WRONG: 'This is not your password.',
    PASSWORD_TOO_SHORT: 'The password needs at least 12 characters.',
    PASSWORD_TOO_LONG: 'The password may have at most 1024 bytes.',
    NAME_INVALID: 'The name may have at most 200 characters, all of them visible.',
    EMAIL_INVALID: 'This does not look like an email address.',
    EMAIL_TAKEN: 'An account with this address exists already.',
    LINK_SPENT: 'This sign-in link has been used or has expired.',
    TOO_MANY_REQUESTS: 'Too many requests. Try again in a moment.',
    HEADERS_TOO_LARGE:
      'The address or the headers of the request are too long. Delete the cookies of this site, and try again.',
    BODY_CONSUMED:
      'The request was read before Tablewire got it: mount Tablewire before body parsers.',
    SERVER_ERROR: 'Something went wrong on the server.',
    DATABASE_REFUSED: 'The database refuses this.',
    OUTCOME_UNKNOWN: 'It is not known whether this was done. It was not repeated; please check.',
    BUSY: 'The server is busy. Try again in a moment.',
    DATABASE_UNAVAILABLE: 'The database does not answer.',
    QUERY_TIMEOUT: 'The database took too long to answer.',
    TIME_LIMIT: 'The server took too long to answer and gave up.',
    STORAGE_UNAVAILABLE: 'The storage of files does not answer. Try again in a moment.',
    PROVIDER_UNAVAILABLE:
      'Nobody can sign in this way now. Try again in a moment, or use a password.',
    STORAGE_FULL: 'There is no room left for files.',
  },

  /** What a refusal was about: a sentence that follows the message of its code. */
  details: {
    json: {
      notUtf8: 'It is not UTF-8.',
      notJson: 'It does not parse.',
      halfCharacter: 'It holds half a character.',
      largeNumber: 'A number is too large.',
      tooDeep: (levels: string) => `It is nested deeper than ${levels} levels.`,
      keyTwice: 'A key appears twice in one object.',
      forbiddenKey: 'A key is not allowed.',
    },
    request: {
      at: (part: string) => `“${part}” has the wrong shape.`,
      tooManyCalls: (most: string) => `It makes more than ${most} calls.`,
      tooManyUpdates: (most: string) => `It makes more than ${most} updates.`,
      badKey: 'The Idempotency-Key has another form.',
      noKey: 'A write needs an Idempotency-Key.',
      noProperty: 'There is no such property.',
      nothingAt: (path: string) => `There is nothing at “${path}”.`,
      /** `words` are those of a schema, if it has any. */
      invalid: (subject: string, words: string) => `${subject}: ${words || 'not valid'}`,
      outdated: 'The snapshot is outdated.',
    },
    upload: {
      maxFiles: (most: string) => `Max files: ${most}`,
      otherType: (name: string) => `“${name}” is of a type that is not taken here.`,
      tooLarge: (name: string, most: string) => `“${name}” is larger than ${most}.`,
      otherBytes: (name: string) => `“${name}” holds something else than its name says.`,
      empty: (name: string) => `“${name}” is empty.`,
      otherSize: (name: string) => `“${name}” did not arrive whole.`,
      notTaken: 'Not all files were taken.',
      noRoom:
        'Too much that you have uploaded waits to be saved. Save or remove some of it first; what is a day old goes by itself.',
      failed: 'The upload failed. Try again.',
    },
    corrections: {
      unfitting: {
        label: 'This label does not suit.',
        labelColumn: 'These columns cannot name a row.',
        sort: 'Rows cannot be in this order.',
        shown: 'The list cannot have these columns.',
        kind: 'This kind does not suit the column.',
        unit: 'This unit does not suit the column.',
        currency: 'Choose a column that says currencies of amounts, or a currency.',
        minorUnit: 'Only whole numbers of the kind Money count a smallest unit.',
        values: 'The names do not suit: only whole numbers and texts of the kind Status have some.',
      },
      minorUnit:
        'The smallest unit is a word without digits, such as cents. How many make one is known from the currency.',
      tooLong: (most: string) => `At most ${most} characters.`,
      fixed: (option: string) => `Code declares ${option}.`,
      alike: (name: string) =>
        `Several values would be called “${name}”. Give each a name of its own.`,
      twice: (value: string) => `The value “${value}” appears twice.`,
    },
    address: {
      tooLong: 'The address is too long.',
      unknown: (name: string, known: string) => `“${name}” is not one of ${known}.`,
      twice: (name: string) => `“${name}” stands more than once.`,
      twoPlaces: '“after” and “before” exclude each other.',
      longSearch: (most: string) => `The search is longer than ${most} characters.`,
      column: (name: string) => `It names the column “${name}”.`,
      widths: (least: string, most: string) => `A column is ${least} to ${most} px wide.`,
      noFilter: (column: string) => `Rows cannot be filtered by “${column}”.`,
      noValue: (column: string, value: string) => `“${column}” cannot hold “${value}”.`,
      severalValues: (parameter: string) =>
        `Several values, separated by commas, stand under “${parameter}”.`,
    },
    /** Why a filter's value is refused. */
    filter: {
      of: (filter: string, reason: string) => `The filter “${filter}”: ${reason}`,
      unknown: (name: string) => `It names the filter “${name}”.`,
      badForm: 'The value has another form.',
      noNumber: 'A bound is no number.',
      twoNumbers: TWO_NUMBERS,
      noDate: (format: string) => `A day is none, or is not written as ${format}.`,
      oneDate: 'It takes two days.',
      longText: (most: string) => `The text is longer than ${most} characters.`,
      manyValues: (most: string) => `It takes at most ${most} values.`,
      deepGroups: (most: string) => `Groups are nested deeper than ${most} levels.`,
      manyConditions: (most: string) => `It holds more than ${most} conditions.`,
      noChoices: 'It has no values to choose from.',
      tooLong: 'The values are too long for an address.',
      manyFilters: (most: string) => `At most ${most} filters are set at once.`,
    },
    sort: {
      tooMany: (most: string) => `It names more than ${most} columns.`,
      twice: 'A column appears twice.',
      unsortable: (column: string) => `“${column}” cannot be sorted by.`,
      collation: (name: string) => `“${name}” is a collation that only its own program has.`,
    },
    account: {
      passwordLength: (characters: string) => `It has ${characters}.`,
      administrator: 'There is an administrator already.',
      lastAdministrator: 'There must be an administrator who can sign in.',
      secondFactorRequired: 'Everybody needs a second factor here; set up another one first.',
      ownAccount: 'Another administrator can do this with your account.',
      providedRole: 'Their role comes from where they sign in. Change it there.',
      linkFor: (email: string) => `This link is for ${email}.`,
      notFindable: 'The sign-in of this application cannot find a person who is not signed in.',
    },
    /** Why somebody may not come in whom an OpenID provider has signed in. */
    provided: {
      notLetIn: 'Ask an administrator.',
      noRole: 'Nothing that is known of you gives you a role. Ask an administrator.',
      unverified: 'Your address is not verified there. Verify it, or ask an administrator.',
      otherSubject: 'Your address belongs to somebody else’s account here. Ask an administrator.',
      lastAdministrator:
        'You are the last administrator here, but no longer one there. Somebody else has to become one first.',
    },
    selection: {
      off: (table: string) => `Actions on many rows are turned off for “${table}”.`,
      noKey: (table: string) => `“${table}” has no primary key, so its rows cannot be told apart.`,
      key: (key: string) => `The key is “${key}”.`,
      exporting: 'Other exports are still running. Try again when one of them is done.',
      exportWaited: (seconds: string) =>
        `Other exports are being read. This one has waited ${seconds} seconds for its turn. Try again soon.`,
    },
    rows: {
      tableGone: (table: string) => `“${table}” is gone.`,
      column: (name: string) => `It names the column “${name}”.`,
      generated: (column: string) => `“${column}” is written by the database itself.`,
      noKey: (table: string) => `“${table}” has no primary key, so its rows cannot be told apart.`,
      notThroughView: (view: string) => `The database writes nothing through the view “${view}”.`,
      keyParts: (table: string, parts: string) => `The key of “${table}” has ${parts} parts.`,
      manyKeys: (most: string) => `At most ${most} rows can be changed at once.`,
      keyForAll: (column: string) =>
        `“${column}” identifies the rows, so it cannot be set for many of them.`,
      noRanks: (column: string) => `“${column}” cannot keep an order: it must be a number.`,
      noReorder: 'You cannot change the order of these rows now.',
      isPreview: 'The list shows corrections that are not saved. Save them or leave them first.',
      noParent: 'The order counts within one parent: filter the list by it first.',
      badRanks: 'Places are whole numbers from 1, one for each moved row.',
      noInt64: (column: string, value: string) =>
        `“${column}” cannot hold ${value}: it is no number of 64 bits.`,
      halfCharacter: (column: string) =>
        `“${column}” cannot hold this text: half a character is missing.`,
      readOnly: (file: string) => `“${file}” was opened for reading only.`,
      notAllowed: 'Changes are not allowed here. An administrator can allow them.',
      unwritable: (file: string) => `“${file}” cannot be written. Check its permissions.`,
      noRights: (role: string, database: string) =>
        `The database user “${role}” may only read “${database}”. Its owner can grant more.`,
      deepCondition: 'The condition is nested too deeply.',
    },
    /** Failures of the database, shown to administrators and in logs. */
    database: {
      queue: 'Too many queries wait for the database. Try again in a moment.',
      noFile: (file: string) => `There is no file “${file}”. Check its name.`,
      folder: (file: string) => `“${file}” is a folder. Name the file in it.`,
      unreachable: (file: string) => `“${file}” cannot be reached. Check its folder’s permissions.`,
      unwritable: (file: string) => `“${file}” may not be written. Check the file’s permissions.`,
      unreadable: (file: string) => `“${file}” cannot be read. Check the disk and the file.`,
      damaged: (file: string) => `“${file}” is damaged. Restore it from a backup.`,
      diskFull: (file: string) => `The disk of “${file}” is full. Make room and try again.`,
      notOpened: (file: string) =>
        `“${file}” cannot be opened. Check that it may be read, and its folder written.`,
      notSqlite: (file: string) => `“${file}” is not a SQLite database. Name another file.`,
      locked: (file: string) =>
        `Another program holds “${file}” locked. Try again when it has finished.`,
      refused: (sentence: string) => `The database says: “${sentence}”.`,
      changed: (file: string) => `The tables of “${file}” have changed. Load the page again.`,
      ended: 'The query was ended from outside. Try again.',
      tooSlow: (ms: string) =>
        `The query was ended after ${ms} ms. A filter or an index makes it faster.`,
      closing: 'The database is being closed.',
    },
    /** Failures of a PostgreSQL server and of connections to it; `place` is its host and port. */
    postgres: {
      badAddress: (what: string) =>
        `The database address ${what}. It looks like postgres://user:password@host:5432/database.`,
      addressUnreadable:
        'cannot be read; a #, ? or / in the password is written as %23, %3F or %2F',
      addressEncoding: 'holds a % that is no part of an encoded character; write it as %25',
      addressPort: (port: string) => `names the port “${port}”, which is none`,
      addressTls: (mode: string, known: string) =>
        `names the sslmode “${mode}”; there are ${known}`,
      addressFile: (file: string) => `names the file “${file}”, which cannot be read`,
      notListening: (place: string) =>
        `Nothing listens at “${place}”. Check that PostgreSQL runs there, and the port.`,
      noHost: (host: string) => `There is no host “${host}”. Check its name.`,
      noSocket: (place: string) =>
        `PostgreSQL cannot be reached through “${place}”. Check the folder of its socket.`,
      noWay: (host: string) =>
        `Host “${host}” cannot be reached. Check the address and the network.`,
      silent: (place: string) =>
        `“${place}” does not answer. Check the address, and whether a firewall is in the way.`,
      noTls: (place: string, mode: string) =>
        `“${place}” cannot encrypt, but sslmode=${mode} demands it. Set up TLS there, or use sslmode=disable.`,
      wantsTls: (place: string) =>
        `“${place}” wants an encrypted connection. Add ?sslmode=require to the address.`,
      notPostgres: (place: string) =>
        `“${place}” answers, but not as PostgreSQL does. Check the port.`,
      hungUp: (place: string) =>
        `“${place}” closes the connection at once. Check that PostgreSQL listens there.`,
      certificateExpired: (place: string) => `The certificate of “${place}” has expired. Renew it.`,
      certificateName: (host: string) =>
        `The certificate of the server is not for “${host}”. Check the host’s name.`,
      certificateUnknown: (place: string) =>
        `No trusted authority signed the certificate of “${place}”. Name its authority with sslrootcert=file.`,
      tlsFailed: (place: string) =>
        `No encrypted connection to “${place}” could be made. Check TLS on both sides.`,
      noPassword: (place: string, user: string) =>
        `“${place}” wants a password for user “${user}”. Add it to the address.`,
      wrongPassword: (place: string, user: string) =>
        `“${place}” does not take this password for user “${user}”. Check both.`,
      notLetIn: (place: string, user: string) =>
        `“${place}” does not let user “${user}” in. Check the user’s name, and the server’s pg_hba.conf.`,
      signInFailed: (place: string) =>
        `Signing in at “${place}” went wrong. Check the user, the password and the server.`,
      noDatabase: (place: string, database: string) =>
        `There is no database “${database}” at “${place}”. Check its name.`,
      lost: (place: string) => `The connection to “${place}” was lost. Try again in a moment.`,
      restarting: (place: string) => `“${place}” is stopping or starting. Try again in a moment.`,
      noConnection: (place: string) =>
        `“${place}” has no connection left. Close others, or raise its max_connections.`,
      noPrivilege: (user: string) =>
        `The database user “${user}” lacks the privilege for this. The table’s owner can grant it.`,
      standby: (database: string) =>
        `“${database}” takes no changes now: it is a standby, or was set to be read only.`,
      locked: 'Another program holds these rows locked. Try again when it has finished.',
      inTheWay: 'Another program changed the same rows. Try again.',
      diskFull: 'The disk of the database server is full. Make room and try again.',
      exhausted: 'The database server has run out of memory or room. Try again later.',
      driverFailed: 'The database driver failed.',
    },
    /** Failures of MySQL and MariaDB and of connections to them; `place` is host and port. */
    mysql: {
      badAddress: (what: string) =>
        `The database address ${what}. It looks like mysql://user:password@host:3306/database.`,
      addressUnreadable:
        'cannot be read; a #, ? or / in the password is written as %23, %3F or %2F',
      addressEncoding: 'holds a % that is no part of an encoded character; write it as %25',
      addressDatabase: 'names no database',
      addressUser: 'names no user',
      addressTls: (given: string, known: string) => `says “${given}”; there are ${known}`,
      addressParameter: (name: string) => `has a parameter “${name}” that is not known`,
      addressFile: (file: string) => `names the file “${file}”, which cannot be read`,
      addressNumber: (host: string) =>
        `names “${host}”, to which no certificate can be compared; write the host’s name, or sslmode=verify-ca`,
      notListening: (place: string) =>
        `Nothing listens at “${place}”. Check that the server runs there, and the port.`,
      noHost: (place: string) => `There is no host for “${place}”. Check its name.`,
      noSocket: (place: string) =>
        `The server cannot be reached through “${place}”. Check the path and its permissions.`,
      silent: (place: string) =>
        `“${place}” does not answer. Check the address, and whether a firewall is in the way.`,
      notMysql: (place: string) =>
        `“${place}” answers, but not as MySQL and MariaDB do. Check the port.`,
      hungUp: (place: string) =>
        `“${place}” ends the connection at once. It is no MySQL or MariaDB server, or is just starting; check the port.`,
      noTls: (place: string) =>
        `“${place}” cannot encrypt, but the address demands it. Set up TLS there, or leave sslmode out.`,
      wantsTls: (place: string) =>
        `“${place}” wants an encrypted connection. Add ?sslmode=require to the address.`,
      certificate: (place: string, reason: string) =>
        `The certificate of “${place}” is not trusted (${reason}). Name its authority with sslca=file, or encrypt unchecked with sslmode=require.`,
      notLetIn: (place: string, user: string) =>
        `“${place}” does not let user “${user}” in. Check user and password, and from where that user may come.`,
      nobodyLetIn: (place: string) =>
        `“${place}” lets nobody in from this machine. Allow it there.`,
      unknownSignIn: (place: string, user: string) =>
        `“${place}” asks user “${user}” for a kind of sign-in that is not supported. Use a password.`,
      expired: (user: string) => `The password of user “${user}” has expired. Set a new one.`,
      tooOld: (engine: string) =>
        `The server is ${engine}; MySQL 8.0.16, MariaDB 10.5 or newer is needed. Update it.`,
      noDatabase: (place: string, database: string) =>
        `There is no database “${database}” at “${place}”. Check its name.`,
      closedDatabase: (user: string, database: string) =>
        `There is no database “${database}”, or user “${user}” may not use it. Check its name, or grant it.`,
      lost: (place: string) => `The connection to “${place}” was lost. Try again in a moment.`,
      noConnection: (place: string) =>
        `“${place}” has no connection left. Close others, or raise its max_connections.`,
      mayNotRead: (user: string, what: string) =>
        `The database user “${user}” may not read ${what}. Its owner can grant SELECT.`,
      mayNotWrite: (user: string, what: string, privilege: string) =>
        `The database user “${user}” may not change ${what}. Its owner can grant ${privilege}.`,
      thing: (table: string) => `“${table}”`,
      partOf: (column: string, table: string) => `“${column}” of “${table}”`,
      something: 'this',
      readOnly: (place: string) => `“${place}” takes no changes now.`,
      noUndo: (table: string, engine: string) =>
        `“${table}” is stored by ${engine}, which cannot roll a change back. Convert it to InnoDB to change its rows here.`,
      keyWanted: (column: string) =>
        `“${column}” must be given: MySQL does not report which value it chose.`,
      locked: 'Another program holds these rows locked. Try again when it has finished.',
      diskFull: 'The disk of the database server is full. Make room and try again.',
      tooLarge: 'This is larger than the server takes at once. Raise its max_allowed_packet.',
      moreThanPacket: (most: string) =>
        `This is more than the database takes at once, which is ${most} MiB. Save it in parts, or have its max_allowed_packet raised.`,
      failed: (code: string) => `The database failed with error ${code}. Its log says more.`,
    },
  },
}
