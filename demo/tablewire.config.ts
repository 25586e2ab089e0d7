/** The demo's configuration: strikes have photographs, and there is a role for whoever reviews them. */

import type { Definitions } from '../src/table/definition/define-table.ts'
import type { Roles } from '../src/table/roles/role.ts'
import { PHOTOGRAPHS } from './photographs.ts'
import { roles } from './roles.ts'

export default {
  roles,
  tables: {
    strikes: {
      sort: '-incident_date',
      // What is done with selected rows waits until some are.
      hideBulkActionsWhenEmpty: true,
      shown: [
        ...['airport_name', 'incident_date', 'species_id', 'operator_id', 'aircraft_type_id'],
        ...['phase', 'speed_kt', 'cost_total_usd', 'status', 'damage', 'reporter_id', 'photo'],
      ],
      columns: {
        photo: { label: 'Photos', kind: 'image', storage: 'local', multiple: PHOTOGRAPHS },
      },
    },
  },
} satisfies { tables: Definitions; roles: Roles }
