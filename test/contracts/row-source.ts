/** What every row source must do, whatever its engine: one suite for all of them. */

import type { OpenFixture } from './fixture.ts'
import { pagingContract } from './paging.ts'
import { policyContract } from './policy.ts'
import { readingContract } from './reading.ts'
import { writingContract } from './writing.ts'

/** Declares the suite's tests for one engine. `open` makes a fresh database of each fixture. */
export function rowSourceContract(
  name: string,
  open: OpenFixture,
  /** Random tables that are walked over. */
  { walks = 200 }: { readonly walks?: number } = {},
): void {
  readingContract(name, open)
  pagingContract(name, open, walks)
  policyContract(name, open)
  writingContract(name, open)
}
