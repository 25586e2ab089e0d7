/** Ids of the buttons of menus that keys open. */

export const DISPLAY_ID = 'display'
/** Of what can be done with the selected rows. */
export const BULK_ID = 'bulk'
