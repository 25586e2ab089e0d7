/** Runs the command on a copy of an example, as somebody outside of this project would. */

import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BrowserContext, type Browser, type Page } from 'playwright-core'
import type { PageData } from '../../src/protocol/page.ts'

const ROOT = join(import.meta.dirname, '../..')
const BIN = join(ROOT, 'bin/tablewire.js')

export type Outsider = {
  readonly folder: string
  /** Runs the command to its end. */
  run(...args: string[]): { status: number | null; out: string }
  /** Starts the command and waits until it has printed a sign-in link. */
  start(...args: string[]): Promise<{ readonly origin: string; readonly link: string }>
  /** Everything it has printed since the start. */
  said(): string
  /** Changes one of its files. */
  change(file: string, by: (text: string) => string): void
  /** Ends what `start` has started. */
  stop(): Promise<void>
  close(): Promise<void>
}

/** Copies the example; its dependencies resolve as if installed, except for this package. */
export function openOutsider(name: string): Outsider {
  const folder = mkdtempSync(join(tmpdir(), 'tablewire-outsider-'))
  cpSync(join(ROOT, 'examples', name), folder, {
    recursive: true,
    filter: (path) => !/dist-client|\.tablewire|\.sqlite/.test(path),
  })
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  writeFileSync(join(folder, 'package.json'), '{ "type": "module", "private": true }')
  // Vitest sets NODE_ENV for itself; the browser's files are built for production.
  const { NODE_ENV: _, ...env } = process.env
  const options = { cwd: folder, env }
  let running: ChildProcess | undefined
  let said = ''
  async function stop() {
    if (!running || running.exitCode !== null) return
    const over = new Promise((resolve) => running?.once('exit', resolve))
    running.kill('SIGTERM')
    await over
  }
  return {
    folder,
    run(...args) {
      const { status, stdout, stderr } = spawnSync(process.execPath, [BIN, ...args], {
        ...options,
        encoding: 'utf8',
      })
      return { status, out: stdout + stderr }
    },
    async start(...args) {
      const child = spawn(process.execPath, [BIN, ...args], options)
      running = child
      const link = Promise.withResolvers<string>()
      for (const output of [child.stdout, child.stderr])
        output.on('data', (chunk: Buffer) => {
          said += chunk.toString()
          const [, found] = /Sign in: (\S+)\n/.exec(said) ?? []
          if (found !== undefined) link.resolve(found)
        })
      child.once('exit', () => link.reject(new Error(said)))
      const found = await link.promise
      return { origin: new URL(found).origin, link: found }
    },
    said: () => said,
    change(file, by) {
      const path = join(folder, file)
      const before = readFileSync(path, 'utf8')
      const after = by(before)
      if (after === before) throw new Error(`Nothing of ${file} has been changed.`)
      writeFileSync(path, after)
    },
    stop,
    async close() {
      await stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Makes the first account through a link, as its form does but without a page, and signs it in. */
export async function enter({ request }: BrowserContext, link: string): Promise<void> {
  const page = await request.get(link, { headers: { 'x-tablewire-navigate': '1' } })
  const { csrf } = (await page.json()) as PageData // what its header asks for
  const person = { name: 'Ana', email: 'ana@example.org', password: 'correct horse battery' }
  const headers = { origin: new URL(link).origin }
  const form = { _token: csrf, ...person }
  const answer = await request.post(link, { headers, form, maxRedirects: 0 })
  if (answer.status() !== 303) throw new Error(await answer.text())
}

/** A page of the same person in a browser without JavaScript. */
export async function withoutScript(browser: Browser, from: BrowserContext): Promise<Page> {
  const context = await browser.newContext({ javaScriptEnabled: false, locale: 'en-US' })
  await context.addCookies(await from.cookies())
  return context.newPage()
}
