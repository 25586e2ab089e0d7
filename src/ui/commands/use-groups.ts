/** The commands of the page, including those that its later parts add. */

import { useEffect, useState } from 'react'
import { useRegistry } from './commands.tsx'
import type { Command, Group } from './registry.ts'

export function useGroups(): Group[] {
  const { registry } = useRegistry()
  const [groups, setGroups] = useState(() => withoutTaken(registry.groups()))
  useEffect(() => {
    const read = () => setGroups(withoutTaken(registry.groups()))
    // Some may have come since this was drawn.
    read()
    return registry.subscribe(read)
  }, [registry])
  return groups
}

/** Takes keys from commands whose keys do something else on this page. */
export function withoutTaken(groups: readonly Group[]): Group[] {
  const everywhere = groups.flatMap(({ commands }) => commands.filter(({ isAt }) => !isAt))
  const owner = new Map(everywhere.map((command) => [command.keys, command]))
  const own = (command: Command): Command => {
    const isTaken = !command.isAt && owner.get(command.keys) !== command
    const { keys: _, ...keyless } = command
    return isTaken ? keyless : command
  }
  return groups.map(({ title, commands }) => ({ title, commands: commands.map(own) }))
}
