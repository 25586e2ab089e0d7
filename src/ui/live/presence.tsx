/** Shows who else is on the page's table or record, where the page is live. */

import { usePage } from '../../react/use-component.ts'
import { laterPart } from '../later-part.tsx'

const People = laterPart(async () => (await import('./presence-list.tsx')).PresenceList)

/** Nothing of it is loaded where no component tells of others, or the host passes no sockets on. */
export function Presence() {
  const { realtime, components } = usePage()
  return realtime && components.some(({ name }) => name === 'presence') && <People />
}
