import { describe, expect, test } from 'vitest'
import type { LinesView } from '../../protocol/form-sections.ts'
import type { FieldInput, FormView } from '../../protocol/form-view.ts'
import { leftAfter } from './after-save.ts'
import type { Typed } from './drafts.ts'
import { type Edits, NO_EDITS } from './edits.ts'
import type { LineEdit, LinesEdits } from './line-edits.ts'
import { NO_SECTIONS } from './section-edits.ts'

const field = (name: string, text: string | null): FieldInput => ({
  ...{ name, label: name, control: { is: 'text' }, text, nullable: true, takesEmpty: true },
  required: false,
})

const form = (texts: Edits['texts'], rows: LinesView['rows'] = []): FormView => ({
  ...{ table: 'orders', draftsOf: '1', tableLabel: 'Orders', title: '', isNew: false },
  ...{ fixed: [], sections: [], notShown: null, links: [], words: {}, obstacle: null },
  ...{ backHref: '', isGone: false },
  fields: Object.entries(texts).map(([name, text]) => field(name, text)),
  lines: [
    {
      ...{
        name: 'lines',
        label: 'Lines',
        href: null,
        fields: [field('size', null)],
        fixed: [],
        locked: { added: [], stored: [] },
        sums: [],
      },
      ...{
        rows,
        copied: [],
        tooMany: null,
        may: { add: true, change: true, remove: true, order: true },
      },
    },
  ],
})

const fields = (texts: Edits['texts'], seen: Edits['seen']): Typed => ({
  ...{ edits: { texts, seen }, sections: NO_SECTIONS },
})

const lines = (edits: Partial<LinesEdits>): Typed => ({
  edits: NO_EDITS,
  sections: { lines: { lines: { lines: [], order: null, ...edits } }, links: {} },
})

const line = (id: string, size: string | null, more: Partial<LineEdit> = {}): LineEdit => ({
  ...{ id, isNew: id.startsWith('new'), isRemoved: false, texts: { size }, seen: {}, ...more },
})

describe('of what was typed while a form was saved', () => {
  test('nothing is left where it is what was saved', () => {
    const sent = fields({ total: '1.50' }, { total: null })
    expect(leftAfter({ sent, now: sent, keys: {} }, form({ total: '1.5' })).edits).toEqual(NO_EDITS)
  })

  test('a field is a change of what the database holds now, however it writes that', () => {
    const sent = fields({ total: '1.50', note: 'a' }, { total: null, note: 'old' })
    const now = fields({ total: '1.52', note: 'a', state: 'b' }, { total: null, state: 'c' })
    expect(leftAfter({ sent, now, keys: {} }, form({ total: '1.5', note: 'a' })).edits).toEqual({
      ...{ texts: { total: '1.52', state: 'b' }, seen: { total: '1.5', state: 'c' } },
    })
  })

  test('a field that holds again what it held before is a change as well', () => {
    const sent = fields({ note: 'a' }, { note: 'old' })
    const { edits } = leftAfter({ sent, now: fields({}, {}), keys: {} }, form({ note: 'a' }))
    expect(edits).toEqual({ texts: { note: 'old' }, seen: { note: 'a' } })
  })

  test('a field keeps how it was read when it was typed', () => {
    const sent = fields({ total: '1.50', fee: '2' }, { total: null, fee: null })
    const now = fields({ total: '1.52', fee: '2' }, { total: null, fee: null })
    const read = ({ edits, ...typed }: Typed): Typed => ({
      ...typed,
      edits: { ...edits, readings: { total: 'EUR', fee: 'EUR' } },
    })
    const { edits } = leftAfter(
      { sent: read(sent), now: read(now), keys: {} },
      form({ total: '1.5' }),
    )
    expect(edits.readings).toEqual({ total: 'EUR' })
  })

  test('a line that was new is a stored one, and one that was added since is new', () => {
    const sent = lines({ lines: [line('new 1', '1'), line('new 2', '2'), line('7', '3')] })
    const now = lines({
      lines: [line('new 1', '10'), line('new 2', '2'), line('7', '3'), line('new 3', '4')],
    })
    const keys = { lines: { 'new 1': '8', 'new 2': '9' } }
    const rows = ['8', '9', '7'].map((key, at) => ({
      ...{ key, texts: { size: `${at + 1}` }, labels: {} },
    }))
    rows[2] = { key: '7', texts: { size: '3' }, labels: {} }
    expect(leftAfter({ sent, now, keys }, form({}, rows)).sections.lines['lines']).toEqual({
      lines: [{ ...line('8', '10'), seen: { size: '1' } }, line('new 3', '4')],
      order: null,
    })
    // One that was taken out since has to be removed.
    const without = lines({ lines: [line('new 2', '2'), line('7', '3')] })
    expect(leftAfter({ sent, now: without, keys }, form({}, rows)).sections.lines['lines']).toEqual(
      {
        lines: [{ ...line('8', null), isRemoved: true, texts: {}, seen: { size: '1' } }],
        order: null,
      },
    )
  })

  test('an order stays by the keys of the lines', () => {
    const sent = lines({ lines: [line('new 1', '1')] })
    const now = lines({
      ...sent.sections.lines['lines'],
      order: { seen: ['7'], ids: ['new 1', '7'] },
    })
    const rows = ['7', '8'].map((key) => ({ key, texts: { size: '1' }, labels: {} }))
    const keys = { lines: { 'new 1': '8' } }
    expect(leftAfter({ sent, now, keys }, form({}, rows)).sections.lines['lines']).toEqual({
      ...{ lines: [], order: { seen: ['7', '8'], ids: ['8', '7'] } },
    })
  })

  test('links that were taken off or put back since are changes of those that were saved', () => {
    const links = (added: string[], removed: string[]): Typed => ({
      edits: NO_EDITS,
      sections: {
        lines: {},
        links: { tags: { added: added.map((text) => ({ text, label: text })), removed } },
      },
    })
    const left = leftAfter(
      { sent: links(['1', '2'], ['3', '4']), now: links(['2', '5'], ['4', '6']), keys: {} },
      form({}),
    )
    expect(left.sections.links['tags']).toEqual({
      added: [
        { text: '5', label: '5' },
        { text: '3', label: null },
      ],
      removed: ['6', '1'],
    })
  })
})
