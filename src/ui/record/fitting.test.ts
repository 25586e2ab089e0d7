import { describe, expect, test } from 'vitest'
import type { LinesView, LinksView } from '../../protocol/form-sections.ts'
import type { FieldInput, FormView } from '../../protocol/form-view.ts'
import { fitting } from './fitting.ts'
import { NO_SECTIONS, type SectionEdits } from './section-edits.ts'

const field = (name: string, more: Partial<FieldInput> = {}): FieldInput => ({
  ...{ name, label: name, control: { is: 'text' }, text: null, nullable: true },
  ...{ takesEmpty: true, required: false, ...more },
})

const ALL = { add: true, change: true, remove: true, order: true }

const lines = (more: Partial<LinesView> = {}): LinesView => ({
  ...{
    name: 'lines',
    label: 'Lines',
    href: null,
    fields: [field('size')],
    fixed: [],
    locked: { added: [], stored: [] },
    sums: [],
    may: ALL,
  },
  ...{ rows: [{ key: '1', texts: { size: '1' }, labels: {} }], tooMany: null, copied: [], ...more },
})

const links = (more: Partial<LinksView> = {}): LinksView => ({
  ...{ name: 'links', label: 'Tags', href: null, field: field('tag'), chips: [], tooMany: null },
  ...{ may: { add: true, remove: true }, ...more },
})

const form = (more: Partial<FormView>): FormView => ({
  ...{ table: 'orders', draftsOf: 'ana', tableLabel: 'Orders', title: '', isNew: false },
  ...{ fields: [], fixed: [], sections: [], notShown: null, lines: [], links: [], words: {} },
  ...{ obstacle: null, backHref: '', isGone: false, ...more },
})

const line = (id: string, texts: { readonly [column: string]: string }) => ({
  ...{ id, isNew: id.startsWith('new'), isRemoved: false, texts, seen: { size: '1', gone: 'x' } },
})

const SECTIONS: SectionEdits = {
  lines: { lines: { lines: [line('1', { size: '2', gone: 'y' })], order: null } },
  links: { links: { added: [{ text: '7', label: null }], removed: ['8'] } },
}

const sectionsIn = (view: Partial<FormView>, sections = SECTIONS) =>
  fitting(form(view), { edits: { texts: {}, seen: {} }, sections }).sections

describe('a draft', () => {
  test('holds no secret, and nothing of columns that are gone', () => {
    const texts = { title: 'a', token: 'secret', gone: 'b' }
    const readings = { title: 'EUR', gone: 'EUR' }
    const view = form({ fields: [field('title'), field('token', { isSecret: true })] })
    expect(
      fitting(view, { edits: { texts, seen: texts, readings }, sections: NO_SECTIONS }).edits,
    ).toEqual({
      ...{ texts: { title: 'a' }, seen: { title: 'a' }, readings: { title: 'EUR' } },
    })
  })

  test('holds nothing of sections that are gone, or of which the form shows no rows', () => {
    expect(sectionsIn({})).toEqual(NO_SECTIONS)
    const tooMany = '200 rows, too many'
    expect(sectionsIn({ lines: [lines({ tooMany })], links: [links({ tooMany })] })).toEqual(
      NO_SECTIONS,
    )
    expect(sectionsIn({ lines: [lines()], links: [links()] })).toEqual({
      lines: {
        lines: { lines: [{ ...line('1', { size: '2' }), seen: { size: '1' } }], order: null },
      },
      links: SECTIONS.links,
    })
  })

  test('holds nothing that the person may not change any more', () => {
    const order = { seen: ['1'], ids: ['1'] }
    const all = [
      line('1', { size: '2' }),
      { ...line('2', {}), isRemoved: true },
      line('new 1', { size: '3' }),
    ]
    const left = (may: Partial<LinesView['may']>) =>
      sectionsIn(
        { lines: [lines({ may: { ...ALL, ...may } })] },
        { lines: { lines: { lines: all, order } }, links: {} },
      ).lines['lines']
    expect(left({})?.lines.map(({ id }) => id)).toEqual(['1', '2', 'new 1'])
    expect(left({ change: false })?.lines.map(({ id }) => id)).toEqual(['2', 'new 1'])
    expect(left({ remove: false })?.lines.map(({ id }) => id)).toEqual(['1', 'new 1'])
    expect(left({ add: false })?.lines.map(({ id }) => id)).toEqual(['1', '2'])
    expect(left({ order: false })?.order).toBeNull()
    const fixed = lines({ rows: [{ key: '1', texts: {}, labels: {}, fixed: ['size'] }] })
    expect(
      sectionsIn({ lines: [fixed], links: [links({ may: { add: false, remove: true } })] }),
    ).toEqual({ lines: {}, links: { links: { added: [], removed: ['8'] } } })
  })
})

test('names are kept of what is edited, and is no secret', () => {
  const view = form({ fields: [field('photo'), field('owner', { isSecret: true }), field('note')] })
  const texts = { photo: 'x1', owner: '7' }
  const labels = { photo: 'engine.jpg', owner: 'Ana', note: 'old' }
  const typed = { edits: { texts, seen: {} }, sections: NO_SECTIONS, labels }
  expect(fitting(view, typed).labels).toEqual({ photo: 'engine.jpg' })
})
