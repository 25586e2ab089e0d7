import { expect, test } from 'vitest'
import { postgresBus } from './postgres-bus.ts'

test('what is said just when the last was sent does not wait for what is said next', async () => {
  // Whenever that is: after each number of turns that promises take.
  for (let turns = 0; turns < 20; turns++) {
    let sent = 0
    const bus = postgresBus({
      connect: async () => ({
        async send(texts) {
          sent += texts.length
        },
        async close() {},
      }),
    })
    bus.open({ heard() {}, back() {} })
    await settled()
    bus.send('first')
    for (let turn = 0; turn < turns; turn++) await Promise.resolve()
    bus.send('second')
    await settled()
    expect(sent, `after ${turns} turns`).toBe(2)
    await bus.close()
  }
})

/** Lets everything go on that waits for nothing but its turn. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
