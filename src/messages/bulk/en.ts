/** Copy of bulk changes, of what is done with one row, of jobs and saved views in English; the browser loads it after a list. */

/** Values passed to a function are already formatted for the reader. */
export const bulk = {
  /** What can be done with the selected rows, or with one row. */
  verbs: {
    edit: 'Edit fields…',
    export: 'Export',
    again: 'Try again',
    mark: 'Mark as deleted…',
    restore: 'Restore…',
    delete: 'Delete…',
    /** An action of the table's own that asks for something first. */
    own: (label: string) => `${label}…`,
  },
  row: 'This row',
  openRow: 'Open',
  /** A row that is shown beside its list. */
  peek: {
    open: 'Peek',
    name: (row: string) => `Peek at ${row}`,
    loading: 'The row is loading.',
    failed: 'The row could not be read.',
    again: 'Try again',
    previous: 'Previous row',
    next: 'Next row',
    whole: 'Open',
    close: 'Close',
    closes: 'closes',
    moveOn: 'move on',
    /** In the list of all keys. */
    key: 'Peek at the row, close the peek',
    keyInto: 'Move to the peek, or back to the table',
  },
  copying: {
    cell: 'Copy cell',
    row: 'Copy row',
    link: 'Copy link',
    copied: 'Copied.',
    cut: 'Copied, but a long text without its end: it is too long.',
    rowGone: 'The row is no longer there. What the list shows of it was copied.',
    notCopied: 'The browser did not allow copying.',
    /** In the list of all keys. */
    key: 'Copy the cell',
  },
  /** The menu of a row's page. */
  actions: 'Actions',

  /** Asking what to change. */
  fields: {
    title: 'Edit fields',
    of: (rows: string) =>
      `Of ${rows} selected rows. Nothing is written until you have seen the plan.`,
    ofOne: 'Of one row. Nothing is written until you have seen the plan.',
    loading: 'The fields are loading.',
    choose: 'Choose a field',
    add: 'Field to change',
    chosen: (field: string) => `Field to change: ${field}`,
    none: 'None of the fields can be changed for all of these rows.',
    way: (field: string) => `How to change ${field}`,
    value: (field: string) => `Value of ${field}`,
    /** How a field is changed. */
    ways: {
      set: 'Set to',
      clear: 'Clear',
      add: 'Add',
      multiply: 'Multiply by',
      append: 'Append',
      replace: 'Replace',
      copy: 'Copy from',
      now: 'Set to now',
    },
    cleared: 'No value, in all of the rows.',
    now: 'The moment at which it is written.',
    find: (field: string) => `Text to replace in ${field}`,
    with: 'with',
    replacement: (field: string) => `Replacement in ${field}`,
    from: (field: string) => `Column to copy into ${field}`,
    fromNone: 'Choose a column',
    remove: (field: string) => `Leave ${field} as it is`,
    /** What is missing before a plan can be made. */
    valueMissing: 'Give a value, or choose “Clear”.',
    valueNeeded: 'Give a value.',
    columnMissing: 'Choose the column to copy from.',
    textMissing: 'Give the text to replace.',
    nothing: 'Choose at least one field.',
    review: 'Review changes',
    refused: (count: number) =>
      count === 1 ? 'One field needs a correction.' : `${count} fields need a correction.`,
  },

  plan: {
    name: 'Review changes',
    lead: 'Nothing is written until you confirm. What you see here is what will be written.',
    sealing: 'The rows are read and checked.',
    sealingLong: 'Many rows take a while. Nothing is written meanwhile.',
    ready: 'The plan is ready.',
    region: 'The plan',
    rows: 'Rows',
    toWrite: 'To be written',
    nothing: 'There is nothing to write.',
    changes: 'What changes',
    becomes: 'becomes',
    hanging: 'What hangs on these rows',
    hangingOnOne: 'What refers to it',
    sample: (shown: string, all: string) => `A sample, ${shown} of ${all}`,
    theRow: 'The row',
    key: 'Key',
    row: 'Row',
    change: 'Change',
    refused: (rows: string) => `Refused, ${rows}`,
    reason: 'Reason',
    tried: 'Tried and taken back',
    triedRefused: 'Tried: it would be refused',
    table: 'Table',
    typed: 'Type',
    typedLabel: (number: string) => `Type ${number} to confirm`,
    tryFirst: 'Try it first',
    tryAgain: 'Try it again',
    trying: 'The plan is tried in the database, and taken back.',
    cancel: 'Cancel',
    back: 'Back',
    close: 'Close',
    writing: 'The rows are written.',
    writingLong: 'You may close this: it goes on, and a notice says what became of it.',
  },

  /** What became of it. */
  outcome: {
    changed: 'Nothing was written',
    refused: 'Nothing was written',
    gone: 'This plan cannot be written any more',
    unknown: 'No answer came',
    unknownText:
      'Nobody can tell from here whether the rows were written. Ask again: a plan is written once, however often it is asked for.',
    failed: 'The plan could not be made',
    failedText: 'Nothing was written.',
    left: 'Written',
    partly: 'Only part of it is known to be done',
    came: (rows: string) => `Came since, ${rows}`,
    went: (rows: string) => `Left since, ${rows}`,
    differ: (rows: string) => `Changed since, ${rows}`,
    anew: 'Make the plan anew',
    ask: 'Ask again',
    again: 'Try again',
  },

  /** How rows are exported. */
  exporting: {
    title: 'Export',
    selected: 'The selected rows, in the order of the list.',
    matching: 'All rows that match, in the order of the list.',
    format: 'Format',
    columns: 'Columns',
    ofColumns: { shown: 'Those shown', all: 'All' },
    references: 'Related rows',
    ofReferences: { keys: 'Keys', names: 'Names', both: 'Both' },
  },

  /** A list of the rows that a change has left. */
  left: {
    whole: 'All reasons',
    all: 'Show all rows',
  },

  jobs: {
    title: 'Jobs',
    many: (jobs: string) => `${jobs} jobs`,
    show: 'Show all',
    hide: 'Show less',
    pause: 'Pause',
    pauseOf: (job: string) => `Pause: ${job}`,
    resume: 'Go on',
    resumeOf: (job: string) => `Go on: ${job}`,
    cancel: 'Cancel',
    cancelOf: (job: string) => `Cancel: ${job}`,
    undo: 'Undo',
    undoOf: (job: string) => `Undo: ${job}`,
    dismissOf: (job: string) => `Dismiss: ${job}`,
  },

  /** Saving views of a list, and changing them. */
  views: {
    saveNew: 'Save as new view…',
    manage: 'Rename, share, order…',
    save: 'Save changes',
    saveAs: 'Save as…',
    saveView: 'Save view',
    discard: 'Discard',
    saved: (name: string) => `The view “${name}” is saved.`,
    /** In what a list differs from its view: how many filters, and what else. */
    differs: (filters: number, others: readonly Other[]) => {
      const parts = [
        ...(filters === 0 ? [] : [filters === 1 ? '1 filter' : `${filters} filters`]),
        ...others.map((other) => OTHERS[other]),
      ]
      const isOne = parts.length === 1 && filters < 2 && others[0] !== 'columns'
      return `${first(new Intl.ListFormat('en-GB').format(parts))} ${isOne ? 'differs' : 'differ'}`
    },
    saveTitle: 'Save view',
    changeTitle: 'Change view',
    name: 'Name',
    forWhom: 'For',
    me: 'Me',
    meText: 'Nobody else sees it.',
    everyone: (table: string) => `Everyone who may read ${table}`,
    everyoneText:
      'You and administrators may change it; each person sees only the columns open to them.',
    opensWith: (table: string) => `Open ${table} with this view`,
    forMe: (before: string | undefined) =>
      before === undefined ? 'For me' : `For me, in place of ${before}`,
    forEveryone: 'For everyone who has chosen none of their own',
    asTab: 'Show it as a tab, for everyone',
    holds: 'What the view holds',
    filters: 'Filters',
    search: 'Search',
    order: 'Order',
    columns: 'Columns',
    rows: 'Rows',
    none: 'None',
    of: (shown: string, all: string) => `${shown} of ${all}`,
    aPage: (rows: string) => `${rows} a page`,
    allTitle: 'Views',
    noViews: 'There are no views.',
    tab: 'tab',
    up: (view: string) => `Move up: ${view}`,
    down: (view: string) => `Move down: ${view}`,
    change: 'Change…',
    changeOf: (view: string) => `Change: ${view}`,
    remove: 'Remove',
    removeOf: (view: string) => `Remove: ${view}`,
    removeTitle: (view: string) => `Remove “${view}”?`,
    removeOwn: 'Rows stay as they are. Addresses that were shared keep their filters.',
    removeShared:
      'Everyone loses it. Rows stay as they are, and addresses that were shared keep their filters.',
    removed: (name: string) => `The view “${name}” is removed.`,
    done: 'Done',
  },
}

/** What a list may differ in besides filters. */
type Other = keyof typeof OTHERS

const OTHERS = {
  search: 'the search',
  order: 'the order',
  columns: 'the columns',
  rows: 'the number of rows',
  others: 'the layout',
}

const first = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
