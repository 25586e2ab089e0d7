/** What works on a list and draws nothing, loaded after its rows: the keys, and the selection. */

export { ListCommands } from './list-commands.tsx'
export { SelectionWork } from '../selection/selection-work.tsx'
