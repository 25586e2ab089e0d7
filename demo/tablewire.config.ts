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
      shown: [
        ...['airport_name', 'incident_date', 'photo', 'aircraft_type_id', 'operator_id'],
        ...['species_id', 'phase', 'cost_total_usd', 'status'],
      ],
      columns: {
        photo: { label: 'Photos', kind: 'image', storage: 'local', multiple: PHOTOGRAPHS },
      },
    },
  },
} satisfies { tables: Definitions; roles: Roles }
