import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { defineComponent } from '../../server/component/define.ts'
import { problemLines } from '../../table/definition/problems.ts'
import { page } from '../pages/page.ts'
import { checkEvents, checkParams } from './check-wiring.ts'

const detail = v.object({ status: v.string() })
const rest = {
  state: {},
  authorize: () => true,
  mount: () => ({}),
  actions: {},
  view: () => null,
}
const repairs = defineComponent({ name: 'repairs', dispatches: { chosen: detail }, ...rest })
const listener = (name: string, event: string) =>
  defineComponent({ name, on: { [event]: { detail, run: () => {} } }, ...rest })

const told = (...components: Parameters<typeof checkEvents>[0][number]['component'][]) =>
  problemLines(
    checkEvents(components.map((component, at) => ({ component, path: `components[${at}]` }))),
  )

describe('an event', () => {
  test('is heard where a component dispatches it', () => {
    expect(told(repairs, listener('chart', 'chosen'))).toEqual([])
  })

  test('that none dispatches is named once, with those that are dispatched', () => {
    const chart = listener('chart', 'choosen')
    expect(told(repairs, chart, chart)).toEqual([
      'components[1].on.choosen: [chart] listens to [choosen], which no component dispatches; dispatched are [chosen]. Did you mean [chosen]?',
    ])
    expect(told(chart)).toEqual([
      'components[0].on.choosen: [chart] listens to [choosen], which no component dispatches; none declares an event in `dispatches`.',
    ])
  })
})

describe('the parameters of a slot', () => {
  const shelf = defineComponent({
    name: 'shelf',
    params: v.object({ at: v.object({ row: v.number() }) }),
    ...rest,
  })
  const given = (params: object) =>
    page('/shelves', {
      title: 'Shelves',
      // As from a program that no compiler has checked.
      components: { left: shelf.with(params as { at: { row: number } }) },
    })

  test('fit the schema of its component', async () => {
    expect(await checkParams([given({ at: { row: 1 } })])).toEqual([])
  })

  test('that do not are reported with page, slot and path', async () => {
    expect(problemLines(await checkParams([given({ at: { row: 'x' } })]))).toEqual([
      'pages[0].components.left: the page [/shelves] gives [shelf] params that do not fit their schema: [at.row]: Invalid type: Expected number but received "x"',
    ])
  })
})
