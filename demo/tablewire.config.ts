/** The demo's configuration: strikes have photographs. */

import type { Definitions } from '../src/table/definition/define-table.ts'

export default {
  tables: {
    strikes: {
      shown: [
        ...['airport_name', 'incident_date', 'photo', 'aircraft_type_id', 'operator_id'],
        ...['species_id', 'phase', 'cost_total_usd', 'status', 'reporter_id'],
      ],
      columns: { photo: { kind: 'image', storage: 'local' } },
    },
  },
} satisfies { tables: Definitions }
