/** Finds the entry modules of threads and processes, in the source as in the build. */

/** The URL of a module in this folder: only the extension differs between the two. */
export const workerUrl = (name: string): URL =>
  new URL(`./${name}${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`, import.meta.url)
