/** Ids of buttons whose menus can be opened by key, and of what stands elsewhere on the page. */

export const DISPLAY_ID = 'display'
export const DISPLAY_MENU_ID = 'display-menu'
/** The menu of what can be done with the selected rows. */
export const BULK_ID = 'bulk'
/** What stands beside that menu where there is room. */
export const VERBS_ID = 'verbs'
/** Where the jobs of the table stand. */
export const JOBS_ID = 'jobs'
/** The menu of the page: what can be done with all rows, and with the table. */
export const PAGE_MENU_ID = 'more'
