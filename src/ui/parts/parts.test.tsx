/** The parts that pages of your own are made of. */

import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import { Button } from './button.tsx'
import { Table } from './plain-table.tsx'
import { Section } from './section.tsx'

test('a button waits for script, unless it submits a form', () => {
  expect(renderToString(<Button>Count</Button>)).toMatch(
    /^<button type="button" class="[^"]*needs-script/,
  )
  const submit = renderToString(<Button type="submit">Save</Button>)
  expect(submit).toContain('type="submit"')
  expect(submit).not.toContain('needs-script')
})

test('a section is named by its title', () => {
  const html = renderToString(<Section title="Crates">All of them.</Section>)
  const [, id] = /<h2 id="([^"]+)">Crates<\/h2>/.exec(html) ?? []
  expect(html).toContain(`aria-labelledby="${id}"`)
})

test('a table has a head for each column and each row, and numbers at the end', () => {
  const columns = ['Gate', { label: 'Crates', isNumber: true }]
  const html = renderToString(
    <Table label="Gates" columns={columns} rows={[{ key: 'n', cells: ['North', 12] }]} />,
  )
  expect(html).toContain('<table class="plain-table" aria-label="Gates">')
  expect(html).toContain('<th scope="col">Gate</th><th scope="col" class="num">Crates</th>')
  expect(html).toContain('<th scope="row">North</th><td class="num">12</td>')
})
