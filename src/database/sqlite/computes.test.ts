import { expect, test } from 'vitest'
import { openUnits } from '../../../test/sqlite-unit.ts'

test('what is no number stays as it is, whatever is added', () => {
  const write =
    openUnits(`create table list (id integer primary key, x real, n integer, d decimal(9, 2));
    insert into list values (1, 'none', 'none', 'none'), (2, 1.5, 2, 0.1), (3, null, null, null)`)
  const { isDone, images } = write(
    [1, 2, 3].map((id) => ({
      update: [id],
      set: { x: { add: 1 }, n: { multiply: 3 }, d: { add: '0.2' } },
    })),
  )
  expect(isDone).toBe(true)
  expect(images).toEqual([
    {
      ...{ table: 'list', key: [2], before: { x: 1.5, n: 2, d: 0.1 } },
      after: { x: 2.5, n: 6, d: 0.3 },
    },
  ])
})
