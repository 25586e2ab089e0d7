import { expect, test } from 'vitest'
import type { LinksView } from '../../protocol/form-sections.ts'
import type { FieldInput, FormView } from '../../protocol/form-view.ts'
import {
  addChip,
  chipsIn,
  countSections,
  NO_LINKS,
  NO_SECTIONS,
  removeChip,
  savedSections,
} from './section-edits.ts'

const chip = (text: string) => ({ text, label: `Tag ${text}` })
const field: FieldInput = {
  ...{ name: 'tag_id', label: 'Tag', text: null, nullable: false, takesEmpty: false },
  ...{ required: true, control: { is: 'relation', label: null, table: 'Tags', create: null } },
}

const viewOf = (...chips: string[]): LinksView => ({
  ...{ name: 'tags', label: 'Tags', href: null, field, tooMany: null },
  chips: chips.map(chip),
  may: { add: true, remove: true },
})

const formOf = (links: LinksView): FormView => ({
  ...{
    table: 'orders',
    draftsOf: '1',
    tableLabel: 'Orders',
    title: 'Edit',
    isNew: false,
    fields: [],
    fixed: [],
  },
  ...{ sections: [], notShown: null, lines: [], words: {}, obstacle: null, backHref: '/' },
  ...{ links: [links], isGone: false },
})

test('links are made and taken away once, and taken back by the opposite', () => {
  const view = viewOf('1', '2')
  const added = addChip(view, NO_LINKS, chip('3'))
  expect(chipsIn(view, added).map(({ text }) => text)).toEqual(['1', '2', '3'])
  expect(addChip(view, added, chip('3'))).toEqual(added)
  expect(addChip(view, NO_LINKS, chip('1'))).toEqual(NO_LINKS)
  expect(removeChip(view, added, '3')).toEqual(NO_LINKS)
  const removed = removeChip(view, NO_LINKS, '1')
  expect(chipsIn(view, removed)).toEqual([chip('2')])
  expect(addChip(view, removed, chip('1'))).toEqual(NO_LINKS)
  // What a colleague has linked already stands there once.
  expect(chipsIn(viewOf('1', '2', '3'), added)).toHaveLength(3)
})

test('a section of links counts as one field, and is saved by its keys', () => {
  const view = viewOf('1', '2')
  const form = formOf(view)
  const tags = removeChip(view, addChip(view, NO_LINKS, chip('3')), '1')
  const edits = { ...NO_SECTIONS, links: { tags } }
  expect(countSections(form, edits)).toEqual({ fields: 1, lines: 0, choices: 0 })
  expect(savedSections(form, edits)).toEqual({
    ...{ lines: {}, links: { tags: { added: ['3'], removed: ['1'] } } },
  })
  expect(savedSections(form, NO_SECTIONS)).toBeNull()
})
