/** Gives all properties of a run the same seed, which the closing report prints, and runs by the tier. */

import fc from 'fast-check'
import { runs, SEED } from './tier.ts'

fc.configureGlobal({ seed: SEED, numRuns: runs(100) })
