/** Finds entries of threads and processes, from source as well as built. */

/** The module of that name in this folder: only the extension differs between the two. */
export const beside = (name: string): URL =>
  new URL(`./${name}${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`, import.meta.url)
