/** Services that an application adds to what its components are given. */

/**
 * Empty here. An application adds its services by declaration merging, and provides them for each
 * request (see `RequestScope`).
 */
// oxlint-disable-next-line typescript/no-empty-object-type -- members come by declaration merging
export interface Services {}
