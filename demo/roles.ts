/** A role of the demo: whoever reviews new strikes sees little else. */

import type { Roles } from '../src/table/roles/role.ts'

export const roles: Roles = {
  review: {
    label: 'Review desk',
    help: 'Reviews strikes that were reported and not verified yet',
    tables: {
      strikes: {
        read: [
          ...['airport_name', 'incident_date', 'aircraft_type_id', 'species_id', 'phase'],
          ...['damage', 'effect', 'status', 'remarks'],
        ],
        update: ['species_id', 'phase', 'status', 'remarks'],
        rows: { op: 'in', column: 'status', values: ['new', 'review', 'disputed'] },
      },
      comments: { read: true, create: true },
      species: { read: true },
      aircraft_types: { read: ['name', 'category'] },
    },
  },
}
