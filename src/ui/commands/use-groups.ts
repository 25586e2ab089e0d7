/** The commands of the page, also those that its later parts bring. */

import { useEffect, useState } from 'react'
import { useRegistry } from './commands.tsx'
import type { Registry } from './registry.ts'

export function useGroups(): ReturnType<Registry['groups']> {
  const { registry } = useRegistry()
  const [groups, setGroups] = useState(registry.groups)
  useEffect(() => {
    const read = () => setGroups(registry.groups())
    // Some may have come since this was drawn.
    read()
    return registry.subscribe(read)
  }, [registry])
  return groups
}
