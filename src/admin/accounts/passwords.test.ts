import { argon2, randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { type Argon2, checkPassword, Passwords } from './passwords.ts'

const ana = { key: 'ana', isKnown: true }
const cheap = { memory: 8, passes: 1, parallelism: 1 }
const passwords = new Passwords({ randomBytes, cost: cheap })

test('makes a PHC string at 19 MiB and two passes, and knows its password again', async () => {
  const usual = new Passwords({ randomBytes })
  const hash = await usual.hash('correct horse battery', ana)
  expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/)
  expect(await usual.verify('correct horse battery', hash, ana)).toBe(true)
  expect(await usual.verify('correct horse battery.', hash, ana)).toBe(false)
})

test('salts each hash', async () => {
  expect(await passwords.hash('correct horse', ana)).not.toBe(
    await passwords.hash('correct horse', ana),
  )
})

test('checks a hash that another Argon2 made', async () => {
  const phc =
    '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc'
  expect(await passwords.verify('password', phc, ana)).toBe(true)
})

test('takes a password however its letters were composed', async () => {
  const hash = await passwords.hash('caf\u00e9 au lait, deux', ana)
  expect(await passwords.verify('cafe\u0301 au lait, deux', hash, ana)).toBe(true)
})

test('wants a hash made anew when the cost has changed or it cannot be read', async () => {
  const hash = await passwords.hash('correct horse', ana)
  expect(passwords.needsRehash(hash)).toBe(false)
  expect(new Passwords({ randomBytes }).needsRehash(hash)).toBe(true)
  expect(passwords.needsRehash('$2b$10$bcrypt')).toBe(true)
})

test('does the same work for no hash, and for one it cannot read, and says no', async () => {
  const costs: unknown[] = []
  const counting: Argon2 = (algorithm, parameters) => {
    costs.push([parameters.memory, parameters.passes, parameters.parallelism, parameters.tagLength])
    return promisify(argon2)(algorithm, parameters)
  }
  const counted = new Passwords({ randomBytes, cost: cheap, argon2: counting })
  expect(await counted.verify('correct horse', null, ana)).toBe(false)
  expect(await counted.verify('correct horse', 'broken', ana)).toBe(false)
  expect(await counted.verify('correct horse', await passwords.hash('another one', ana), ana)).toBe(
    false,
  )
  expect(costs).toEqual(Array(3).fill([8, 1, 1, 32]))
})

test('hashes two at a time, lets 32 wait, eight for each, and turns the others away', async () => {
  let [running, most] = [0, 0]
  const finish: (() => void)[] = []
  const slow: Argon2 = async () => {
    most = Math.max(most, (running += 1))
    await new Promise<void>((resolve) => finish.push(resolve))
    running -= 1
    return new Uint8Array(32)
  }
  const queued = new Passwords({ randomBytes, argon2: slow })
  const accepted = Array.from({ length: 34 }, (_, i) =>
    queued.hash('correct horse', { key: `${i % 4}`, isKnown: false }),
  )
  const late = queued.hash('correct horse', { key: 'late', isKnown: false })
  await expect(late).rejects.toMatchObject({ code: 'BUSY', retryAfter: 2 })
  for (let done = 0; done < 34; done += 1) {
    await expect.poll(() => finish.length).toBeGreaterThan(0)
    finish.shift()?.()
  }
  await Promise.all(accepted)
  expect(most).toBe(2)
  const after = queued.hash('correct horse', ana)
  await expect.poll(() => finish.length).toBe(1)
  finish.shift()?.()
  await after
})

test('goes on after a hash that failed', async () => {
  const broken = new Passwords({ randomBytes, argon2: () => Promise.reject(new Error('no')) })
  for (let i = 0; i < 40; i += 1)
    await expect(broken.hash('correct horse', ana)).rejects.toThrow('no')
})

test('asks for 12 characters and at most 1024 bytes', () => {
  expect(() => checkPassword('eleven char')).toThrow('at least 12 characters')
  expect(() => checkPassword('\u{1f40e}'.repeat(11))).toThrow('at least 12 characters')
  expect(() => checkPassword('twelve chars')).not.toThrow()
  expect(() => checkPassword('x'.repeat(1024))).not.toThrow()
  expect(() => checkPassword('x'.repeat(1025))).toThrow(
    expect.objectContaining({ code: 'PASSWORD_TOO_LONG' }),
  )
})

test('does not hash what is too long to be a password', async () => {
  expect(await passwords.verify('x'.repeat(1025), null, ana)).toBe(false)
})
