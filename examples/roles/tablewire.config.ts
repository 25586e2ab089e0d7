/** The admin of the orchard: `node ../../bin/tablewire.js`, then invite a grower on the page of people. */

import { defineAdmin } from 'tablewire'
import { type Database, makeOrchard } from './orchard.ts'
import { roles } from './roles.ts'

export default defineAdmin<Database>({ database: makeOrchard(), write: true, roles })
