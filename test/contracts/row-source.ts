/** The contract of every row source: one suite for all engines. */

import type { Value } from '../../src/table/source/value.ts'
import { computedContract } from './computed.ts'
import { countedMomentsContract } from './counted-moments.ts'
import { currenciesContract } from './currencies.ts'
import { differentialContract } from './differential.ts'
import { findingContract, type TableLock } from './finding.ts'
import type { OpenFixture } from './fixture.ts'
import { fixedCurrencyContract } from './fixed-currency.ts'
import { filtersContract } from './filters.ts'
import { injectionContract } from './injection.ts'
import { keylessContract } from './keyless.ts'
import { labelOrderContract } from './label-order.ts'
import { listedRowsContract } from './listed-rows.ts'
import { lookupsContract } from './lookups.ts'
import { maskedContract } from './masked.ts'
import { namedValuesContract } from './named-values.ts'
import { pagingContract } from './paging.ts'
import { pairedContract } from './paired.ts'
import { policyContract } from './policy.ts'
import { ranksContract } from './ranks.ts'
import { type LooseText, referencesContract } from './references.ts'
import { reorderingContract } from './reordering.ts'
import { readingContract } from './reading.ts'
import { searchingContract } from './searching.ts'
import { selectingContract } from './selecting.ts'
import { setsContract } from './sets.ts'
import { valuesByKeyContract } from './values-by-key.ts'
import { writingContract } from './writing.ts'
import { runs } from '../tier.ts'

export type ContractOptions = {
  /** Types of texts whose letter case the engine ignores, and what has to be made first. */
  readonly looseTexts?: readonly LooseText[]
  /** Number of random tables to page through; fewer in a plain run. Default 200. */
  readonly walks?: number
  /** Whether the engine can store a value. */
  readonly canHold?: (value: Value) => boolean
  /** How to keep a table from being read; engines whose queries can wait in the database have one. */
  readonly lock?: TableLock
}

/** Declares the suite's tests for one engine. `open` creates a fresh database from each fixture. */
export function rowSourceContract(
  name: string,
  open: OpenFixture,
  { walks = 200, canHold = () => true, lock, looseTexts = [] }: ContractOptions = {},
): void {
  readingContract(name, open, canHold)
  pagingContract(name, open, runs(walks, 25))
  labelOrderContract(name, open, runs(Math.ceil(walks / 2), 15))
  keylessContract(name, open)
  policyContract(name, open)
  maskedContract(name, open)
  lookupsContract(name, open)
  referencesContract(name, open, looseTexts)
  findingContract(name, open, lock)
  selectingContract(name, open)
  listedRowsContract(name, open)
  namedValuesContract(name, open)
  currenciesContract(name, open)
  countedMomentsContract(name, open)
  fixedCurrencyContract(name, open)
  pairedContract(name, open)
  filtersContract(name, open, runs(2 * walks, 60))
  searchingContract(name, open, runs(walks, 30))
  differentialContract(name, open, runs(2 * walks, 60))
  writingContract(name, open)
  valuesByKeyContract(name, open)
  computedContract(name, open)
  setsContract(name, open)
  ranksContract(name, open, runs(Math.ceil(walks / 4), 10))
  reorderingContract(name, open)
  injectionContract(name, open)
}
