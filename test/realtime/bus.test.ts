import { randomBytes } from 'node:crypto'
import { Redis } from 'ioredis'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import type { Bus } from '../../src/realtime/bus.ts'
import { memoryBus } from '../../src/realtime/memory-bus.ts'
import { redisBus } from '../../src/realtime/redis-bus.ts'
import { openNotices } from '../../src/database/postgres/notices.ts'
import { postgresBus, type PostgresBusOptions } from '../../src/realtime/postgres-bus.ts'
import { describePostgres } from '../contracts/postgres-server.ts'
import { openProxy } from '../contracts/tcp-proxy.ts'
import { POSTGRES, REDIS } from '../contracts/servers.ts'
import { busContract, listening, nameOfBus } from './bus-contract.ts'

/** A proxy before a server, and the address by which clients go through it. */
async function proxyTo(server: URL) {
  const proxy = await openProxy(Number(server.port), server.hostname)
  const url = new URL(server)
  url.hostname = '127.0.0.1'
  url.port = String(proxy.port)
  return { proxy, url: url.href }
}

/** An end of a bus that was away and is there again, having taken nothing meanwhile. */
async function lostAndFound(
  server: URL,
  open: (url: string, name: string, report: () => void) => Promise<Bus>,
  backWithinMs: number,
) {
  const { proxy, url } = await proxyTo(server)
  const name = nameOfBus()
  const report = vi.fn()
  const { bus, heard, back } = await listening(await open(url, name, report))
  const { bus: other } = await listening(await open(server.href, name, () => {}))
  const { bus: witness, heard: seen } = await listening(await open(server.href, name, () => {}))
  onTestFinished(async () => {
    for (const one of [bus, other, witness, proxy]) await one.close()
  })
  await proxy.goDown()
  await vi.waitFor(() => expect(bus.isUp()).toBe(false))
  expect(bus.send('lost')).toBe(false)
  bus.put('a', 'lost', 1000)
  expect(await bus.get('a')).toBeUndefined()
  other.send('missed')
  await vi.waitFor(() => expect(seen).toEqual(['missed']))
  const before = back.mock.calls.length
  await vi.waitFor(() => expect(report).toHaveBeenCalled())
  await proxy.comeBack()
  await vi.waitFor(() => expect(back).toHaveBeenCalledTimes(before + 1), backWithinMs)
  other.send('heard')
  await vi.waitFor(() => expect(heard).toEqual(['heard']))
  expect(report).toHaveBeenCalledTimes(1)
  return { proxy, bus, back }
}

describe('in memory', () => {
  busContract(async (clock) => {
    const join = memoryBus(clock)
    return async () => join()
  })
})

describe('over Redis', () => {
  busContract(async () => {
    const name = nameOfBus()
    return () => redisBus({ url: REDIS.href, name })
  })

  test('it comes back after Redis was away, and takes nothing meanwhile', async () => {
    await lostAndFound(REDIS, (url, name, report) => redisBus({ url, name, report }), 1000)
  })

  test('while Redis is silent, what waits for it has a bound and an end', async () => {
    const { proxy, url } = await proxyTo(REDIS)
    const { bus, back } = await listening(await redisBus({ url, name: nameOfBus() }))
    proxy.holdBack()
    const sent = Array.from({ length: 5000 }, () => bus.send('x'.repeat(1000)))
    expect(sent.filter(Boolean).length).toBeLessThanOrEqual(1000)
    expect(await bus.get('a')).toBeUndefined()
    // Whoever does not answer in time is not asked any more.
    await vi.waitFor(() => expect(bus.isUp()).toBe(false), 10_000)
    const before = back.mock.calls.length
    proxy.letThrough()
    await vi.waitFor(() => expect(back.mock.calls.length).toBeGreaterThan(before), 10_000)
    expect(bus.send('again')).toBe(true)
    await bus.close()
    await proxy.close()
  })

  test('a refused command is told by itself, once, and mutes no interruption', async () => {
    const admin = new Redis(REDIS.href)
    const name = nameOfBus()
    const { proxy, url } = await proxyTo(REDIS)
    const address = new URL(url)
    address.username = name
    address.password = name
    const may = '+@connection +info +subscribe +ping'
    await admin.call('ACL', ['SETUSER', name, 'on', `>${name}`, '~*', '&*', ...may.split(' ')])
    const [report, refused] = [vi.fn(), vi.fn()]
    const { bus } = await listening(await redisBus({ url: address.href, name, report, refused }))
    onTestFinished(async () => {
      for (const one of [bus, proxy]) await one.close()
      await admin.call('ACL', ['DELUSER', name])
      await admin.quit()
    })
    for (let time = 0; time < 2; time++) {
      bus.send('a')
      expect(await bus.get('a')).toBeUndefined()
    }
    const told = () => refused.mock.calls.map(([error]) => String(error))
    expect(told()).toEqual([
      expect.stringMatching(/publish: NOPERM/),
      expect.stringMatching(/get: NOPERM/),
    ])
    expect([bus.isUp(), report.mock.calls.length]).toEqual([true, 0])
    await admin.call('ACL', ['SETUSER', name, '+publish'])
    bus.send('b')
    await expect.poll(() => bus.get('b')).toBeUndefined()
    await admin.call('ACL', ['SETUSER', name, '-publish'])
    bus.send('c')
    await vi.waitFor(() => expect(told()).toHaveLength(3))
    await proxy.goDown()
    await vi.waitFor(() => expect(report).toHaveBeenCalledTimes(1))
  })

  test('one that refuses to be listened to is asked again until it lets us', async () => {
    const admin = new Redis(REDIS.href)
    const name = nameOfBus()
    const address = new URL(REDIS)
    address.username = name
    address.password = name
    const may = '+@connection +info'
    await admin.call('ACL', ['SETUSER', name, 'on', `>${name}`, '~*', '&*', ...may.split(' ')])
    const [report, refused] = [vi.fn(), vi.fn()]
    const bus = await redisBus({ url: address.href, name, report, refused })
    onTestFinished(async () => {
      await bus.close()
      await admin.call('ACL', ['DELUSER', name])
      await admin.quit()
    })
    bus.open({ heard: () => {}, back: () => {} })
    await vi.waitFor(() => expect(refused).toHaveBeenCalledTimes(1))
    await admin.call('ACL', ['SETUSER', name, '+subscribe'])
    await vi.waitFor(() => expect(bus.isUp()).toBe(true), 5000)
    expect(report).not.toHaveBeenCalled()
  })

  test('a server without Redis starts, and publishes to its own', async () => {
    const bus = await redisBus({ url: 'redis://127.0.0.1:1', name: nameOfBus() })
    bus.open({ heard: () => {}, back: () => {} })
    expect([bus.isUp(), bus.send('a'), await bus.get('a')]).toEqual([false, false, undefined])
    await bus.close()
  })
})

describePostgres('over PostgreSQL', () => {
  const opening = async (url: string, name: string, options: Partial<PostgresBusOptions> = {}) => {
    const { connect } = await openNotices(url, name)
    return postgresBus({ connect, ...options })
  }

  busContract(async (clock) => {
    const name = nameOfBus()
    return () => opening(POSTGRES.href, name, { clock })
  })

  test('it carries texts that are far longer than a notice may be, and any sign', async () => {
    const name = nameOfBus()
    const { bus: one } = await listening(await opening(POSTGRES.href, name))
    const { bus: two, heard } = await listening(await opening(POSTGRES.href, name))
    const texts = ['\u0000 “ä” 🙂', 'x'.repeat(1_000_000), randomBytes(50_000).toString('latin1')]
    for (const text of texts) expect(one.send(text)).toBe(true)
    await vi.waitFor(() => expect(heard.length).toBe(3), 5000)
    expect(heard.every((text, at) => text === texts[at])).toBe(true)
    // Twelve megabytes at once are too much.
    expect(one.send('x'.repeat(13_000_000))).toBe(false)
    for (const bus of [one, two]) await bus.close()
  })

  test('it comes back after its connection was lost, and takes nothing meanwhile', async () => {
    const { proxy, bus, back } = await lostAndFound(
      POSTGRES,
      (url, name, report) => opening(url, name, { report }),
      5000,
    )
    // In silence: what is sent tells, since no answer comes.
    proxy.holdBack()
    bus.send('lost')
    await vi.waitFor(() => expect(bus.isUp()).toBe(false), 5000)
    proxy.letThrough()
    await vi.waitFor(() => expect(back).toHaveBeenCalledTimes(3), 10_000)
  })

  test('a server without it starts, and publishes to its own', async () => {
    const report = vi.fn()
    const bus = await opening('postgres://root@127.0.0.1:1/test', nameOfBus(), { report })
    bus.open({ heard: () => {}, back: () => {} })
    expect([bus.isUp(), bus.send('a'), await bus.get('a')]).toEqual([false, false, undefined])
    await vi.waitFor(() => expect(report).toHaveBeenCalledTimes(1))
    await bus.close()
  })
})
