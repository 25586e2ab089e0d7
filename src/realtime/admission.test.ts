import { expect, test } from 'vitest'
import { Places } from './admission.ts'
import { SERVER_LIMITS } from './limits.ts'

const codeOf = (run: () => unknown): unknown => {
  try {
    run()
    return undefined
  } catch (error) {
    return (error as { code: number }).code
  }
}

test('people are counted as such, others by their network, and places become free again', () => {
  const places = new Places({
    ...SERVER_LIMITS,
    connections: 6,
    connectionsPerPerson: 2,
    connectionsPerNetwork: 3,
  })
  const ada = { ip: '10.0.0.1', person: 'ada' }
  const site = (host: number) => ({ ip: `2001:db8:0:1::${host}` })
  const free = places.take(ada)
  places.take({ ...ada, ip: '10.0.0.2' })
  expect(codeOf(() => places.take({ ...ada, ip: '10.0.0.3' }))).toBe(4100)
  for (const host of [1, 2, 3]) places.take(site(host))
  expect(codeOf(() => places.take(site(4)))).toBe(4100)
  // Whoever shares an address with others is not counted with them once they are known.
  places.take({ ip: '2001:db8:0:1::1', person: 'bob' })
  expect(codeOf(() => places.take({ ip: '10.0.0.9' }))).toBe(4100)
  free()
  expect(codeOf(() => places.take(ada))).toBeUndefined()
})
