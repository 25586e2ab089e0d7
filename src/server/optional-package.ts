/** Packages that are installed only where they are used. */

import { propertyOf } from './property-of.ts'

/** Throws one sentence that says what to install if the package is missing. `use` is what it is for. */
export async function loadPackage<Module>(
  use: string,
  name: string,
  load: () => Promise<Module>,
): Promise<Module> {
  try {
    return await load()
  } catch (error) {
    if (propertyOf(error, 'code') !== 'ERR_MODULE_NOT_FOUND') throw error
    throw new Error(
      `The package “${name}” is missing for ${use}: install it with “npm install ${name}”.`,
      {
        cause: error,
      },
    )
  }
}
