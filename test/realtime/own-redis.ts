/** A Redis that a test can take away: a process of its own, or a proxy before the one that all share. */

import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { REDIS } from '../contracts/servers.ts'
import { openProxy } from '../contracts/tcp-proxy.ts'

export type OwnRedis = {
  readonly port: number
  goDown(): Promise<void>
  comeBack(): Promise<void>
  close(): Promise<void>
}

export async function openRedis(): Promise<OwnRedis> {
  const hasProgram = spawnSync('redis-server', ['--version']).status === 0
  return hasProgram ? startProcess() : proxyToRedis()
}

export const proxyToRedis = () => openProxy(Number(REDIS.port || 6379), REDIS.hostname)

async function startProcess(): Promise<OwnRedis> {
  const port = await freePort()
  let running: ChildProcess
  const comeBack = async () => {
    const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', '/tmp']
    running = spawn('redis-server', args, { stdio: ['ignore', 'pipe', 'ignore'] })
    for await (const line of running.stdout!)
      if (String(line).includes('Ready to accept connections')) break
  }
  const goDown = async () => {
    if (running.exitCode !== null || running.signalCode !== null) return
    const ended = once(running, 'exit')
    running.kill('SIGKILL')
    await ended
  }
  await comeBack()
  return { port, goDown, comeBack, close: goDown }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  return port
}
