/** What a selection needs beside the ticks, loaded after the page: its keys, and the server’s answers. */

import type { TableView } from '../../protocol/table-view.ts'
import { useCommands } from '../commands/commands.tsx'
import { useMessages } from '../parts/use-messages.ts'
import { selectionCommands, type Table } from './selection-commands.ts'
import { useAnswers } from './use-answers.ts'
import type { Answers } from './answers.ts'
import type { Selection } from './use-selection.ts'

export type SelectionWorkProps = {
  /** Id of the listing. */
  component: string
  view: TableView
  selection: Selection
  table: Table
  tell(answers: Answers): void
}

export function SelectionWork({ component, view, selection, table, tell }: SelectionWorkProps) {
  const messages = useMessages()
  useAnswers(component, view, selection.selected, tell)
  useCommands(messages.keys.selection, selectionCommands(table, view, selection, messages))
  return null
}
