/** Two roles of one's own: growers, each with their own harvest, and a desk that takes calls. */

import type { Roles } from 'tablewire'
import type { Database } from './orchard.ts'

export const roles: Roles<Database> = {
  grower: {
    label: 'Grower',
    help: 'Counts the crates of their own harvest.',
    tables: {
      growers: {
        read: ['name'],
        rows: { op: 'eq', column: 'email', value: ({ actor }) => actor.email },
      },
      harvests: {
        read: ['fruit', 'crates', 'notes'],
        update: ['crates', 'notes'],
        // Their own, by the address that they sign in with.
        rows: {
          op: 'related',
          column: 'grower_id',
          ...{ table: 'growers', references: 'id' },
          where: { op: 'eq', column: 'email', value: ({ actor }) => actor.email },
        },
      },
    },
  },
  desk: {
    label: 'Desk',
    help: 'Answers calls.',
    tables: {
      harvests: { read: ['fruit', 'crates', 'notes'], update: ['notes'] },
    },
  },
}
