/** What an application gives to the code of its components, besides the request. */

/**
 * Empty here: whoever provides a service adds it by declaration merging, and hands it over with each
 * request (see `Life`).
 */
// oxlint-disable-next-line typescript/no-empty-object-type -- members come by declaration merging
export interface Services {}
