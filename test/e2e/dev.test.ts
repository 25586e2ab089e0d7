/** `npm run dev` on a copy of the project: open pages follow what is changed in it. */

import { type ChildProcess, spawn } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, vi } from 'vitest'
import { nightly } from '../nightly.ts'
import { closeContexts, sharedBrowser } from './browser.ts'
import { collectComplaints } from './office.ts'

/** Builds are waited for on a machine that does much else, ms. */
const PATIENCE = { timeout: 110_000 }
const BUILDS_MS = 240_000
const PARTS = ['src', 'demo', 'scripts', 'dist', 'package.json', 'vite.config.ts', 'tsconfig.json']

const root = join(import.meta.dirname, '../..')
const folder = mkdtempSync(join(tmpdir(), 'tablewire-dev-'))
let dev: ChildProcess
let said = ''
let browser: Browser
let page: Page
let complaints: string[]

beforeAll(async () => {
  for (const part of [...PARTS, 'tsconfig.build.json'])
    cpSync(join(root, part), join(folder, part), { recursive: true, preserveTimestamps: true })
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  const file = join(folder, 'some.sqlite')
  new DatabaseSync(file).close()
  // Tests have it set for themselves; the browser's files are built for people.
  const { NODE_ENV: _, ...env } = process.env
  dev = spawn(process.execPath, ['scripts/dev.ts', file, '--port', '0'], { cwd: folder, env })
  for (const output of [dev.stdout, dev.stderr])
    output?.on('data', (chunk: Buffer) => (said += chunk.toString()))
  browser = await sharedBrowser()
  page = await browser.newPage()
  complaints = collectComplaints(page)
  await vi.waitFor(() => expect(said).toMatch(/Open: \S+/), PATIENCE)
  await page.goto(`${/Open: (\S+)/.exec(said)![1]}/sign-in`)
  await heading('Sign in').waitFor()
})

afterAll(async () => {
  await closeContexts(browser)
  const over = new Promise((resolve) => dev.once('exit', resolve))
  dev.kill('SIGTERM')
  await over
  rmSync(folder, { recursive: true, force: true })
})

const heading = (name: string) => page.getByRole('heading', { level: 1, name })

function change(path: string, by: (text: string) => string): void {
  const before = readFileSync(join(folder, path), 'utf8')
  const after = by(before)
  expect(after).not.toBe(before)
  writeFileSync(join(folder, path), after)
}

nightly.lengthy(
  'a style sheet is put in place of the old one, and the page stays what it is',
  async () => {
    await page.getByRole('textbox', { name: 'Email' }).fill('half typed')
    const spacing = () =>
      heading('Sign in').evaluate((title) => getComputedStyle(title).letterSpacing)
    await expect.poll(() => spacing()).not.toBe('7px')
    change(
      'src/ui/styles/base.css',
      (css) => `${css}@layer adapt { h1 { letter-spacing: 7px; } }\n`,
    )
    await expect.poll(spacing, PATIENCE).toBe('7px')
    await expect
      .poll(() => page.getByRole('textbox', { name: 'Email' }).inputValue())
      .toBe('half typed')
    await expect.poll(() => page.locator('link[rel="stylesheet"]').count()).toBe(1)
  },
  BUILDS_MS,
)

nightly.lengthy(
  'what does not build changes nothing, and the page loads again with what does',
  async () => {
    const copy = 'src/messages/en.ts'
    change(copy, (text) => text.replace('export const pages = {', 'export const pages: number = {'))
    await expect.poll(() => said, PATIENCE).toContain('Not built.')
    await page.reload()
    await heading('Sign in').waitFor()
    change(copy, (text) =>
      text.replace('pages: number', 'pages').replaceAll("'Sign in'", "'Come in'"),
    )
    await heading('Come in').waitFor(PATIENCE)
    // While the server starts again the page asks in vain; nothing else is to complain about.
    expect(complaints.filter((text) => !text.includes('net::ERR_'))).toEqual([])
  },
  BUILDS_MS,
)
