/** The script that makes a list interactive, loaded after its rows: keys, selection, tooltips and menus. */

export { DisplayChoices } from './display-choices.tsx'
export { KeptOut } from './kept-out.tsx'
export { LeftRows } from './left-rows.tsx'
export { ListCommands } from './list-commands.tsx'
export { LongWait } from './long-wait.tsx'
export { CountViews, ViewActs, ViewChanges, ViewCommands } from '../saved-views/view-work.tsx'
