/** What an editor had open as their role changed: saves, cells, forms, exports, lists and pages. */

import type { HostileRequest, Person, Target } from './target.ts'
import { call, change, exportBy, visit } from './requests.ts'
import { HIDDEN_WORDS } from './worlds.ts'

/** What they do by what they had open, and whether it would change a row. */
export type Late = {
  readonly name: string
  readonly writes: boolean
  request(editor: Person, at: number): HostileRequest
}

const RECORD = '/tables/notes/records/2'

export const LATE: readonly Late[] = [
  {
    name: 'a form is saved',
    writes: true,
    request: (editor, at) =>
      call(editor, 'form', { method: 'save', params: [{ position: `${at}` }, {}, null] }),
  },
  {
    name: 'a cell is saved',
    writes: true,
    request: (editor, at) =>
      call(editor, 'cells', { method: 'save', params: ['2', { position: `${at}` }, {}] }),
  },
  {
    name: 'a form is posted',
    writes: true,
    request: (editor, at) => exportBy(editor, `${RECORD}?edit=on`, [['set.title', `Late ${at}`]]),
  },
  {
    name: 'a new row is posted',
    writes: true,
    request: (editor, at) =>
      exportBy(editor, '/tables/notes/new', [
        ['set.title', `New ${at}`],
        ['set.position', '1'],
        ['set.visible', '1'],
      ]),
  },
  {
    name: 'a row is deleted',
    writes: true,
    request: (editor) => exportBy(editor, `${RECORD}?delete=on`, []),
  },
  {
    name: 'an export is asked for',
    writes: false,
    request: (editor) => exportBy(editor, '/tables/notes/export', []),
  },
  {
    name: 'a list is sorted',
    writes: false,
    request: (editor, at) =>
      call(editor, 'list', {
        method: 'sortBy',
        params: [['title', 'body', 'position'][at % 3] ?? '', false],
      }),
  },
  {
    name: 'a list is searched',
    writes: false,
    request: (editor, at) =>
      change(editor, 'list', 'search', ['note', HIDDEN_WORDS[0] ?? '', '1'][at % 3] ?? ''),
  },
  {
    name: 'a list is turned over',
    writes: false,
    request: (editor) => call(editor, 'list', { method: 'setSize', params: [50] }),
  },
  { name: 'a list is opened', writes: false, request: (editor) => visit(editor, '/tables/notes') },
  { name: 'a row is opened', writes: false, request: (editor) => visit(editor, RECORD, 'html') },
]

/** What becomes of them meanwhile, and which texts of rows they may not read then. */
export const BECOMES: readonly {
  readonly name: string
  readonly hidden: readonly string[]
  become(target: Target, id: string): Promise<void>
}[] = [
  ...(
    [
      ['viewer', []],
      ['clerk', HIDDEN_WORDS],
      ['packer', [...HIDDEN_WORDS, 'Note ']],
    ] as const
  ).map(([role, hidden]) => ({
    ...{ name: role, hidden },
    become: ({ admin }: Target, id: string) => admin.accounts.directory.changeRole(BY, id, role),
  })),
  {
    name: 'disabled',
    hidden: [...HIDDEN_WORDS, 'Note '],
    become: ({ admin }, id) => admin.accounts.directory.disable(BY, id),
  },
]

export const BY = { id: 'command', name: 'tests' }
