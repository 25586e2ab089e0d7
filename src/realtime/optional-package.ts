/** Packages that are installed only where they are used. */

import { propertyOf } from '../server/property-of.ts'

/** Throws one sentence that says what to install if the package is missing. */
export async function loadPackage<Module>(
  name: string,
  load: () => Promise<Module>,
): Promise<Module> {
  try {
    return await load()
  } catch (error) {
    if (propertyOf(error, 'code') !== 'ERR_MODULE_NOT_FOUND') throw error
    throw new Error(
      `These settings of live events need the package “${name}”: install it with “npm install ${name}”.`,
      { cause: error },
    )
  }
}
