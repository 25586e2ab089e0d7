/** Ids of buttons whose menus can be opened by key. */

export const DISPLAY_ID = 'display'
/** The menu of what can be done with the selected rows. */
export const BULK_ID = 'bulk'
/** What stands beside that menu where there is room. */
export const VERBS_ID = 'verbs'
/** Where the jobs of the table stand. */
export const JOBS_ID = 'jobs'
