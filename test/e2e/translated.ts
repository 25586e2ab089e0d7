/** Tablewire built with one more language, added as you would: a file, and its name in the list. */

import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { type ESTree, parseSync, Visitor } from 'vite'
import type * as en from '../../src/messages/en.ts'

const ROOT = new URL('../../', import.meta.url).pathname
const PARTS = ['src', 'bin', 'scripts', 'package.json', 'vite.config.ts', 'tsconfig.json']

export type EnglishMessages = typeof en

export type Translated = {
  readonly origin: string
  /** Path of the link that makes the first administrator. */
  readonly link: string
  /** The messages in the new language. */
  readonly words: EnglishMessages
  close(): Promise<void>
}

/** Builds it in a folder of its own, and serves the database that `prepare` makes. */
export async function openTranslated(prepare: (file: string) => void): Promise<Translated> {
  const folder = await mkdtemp(join(tmpdir(), 'tablewire-translated-'))
  for (const part of [...PARTS, 'tsconfig.build.json'])
    await cp(join(ROOT, part), join(folder, part), { recursive: true })
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  const file = await addLanguage(join(folder, 'src/messages'))
  // Vitest sets NODE_ENV to `test`; this builds for production.
  const env = { ...process.env, NODE_ENV: 'production' }
  await promisify(execFile)(process.execPath, ['scripts/build.ts'], { cwd: folder, env })
  const database = join(folder, 'office.sqlite')
  prepare(database)
  const args = [database, '--port', '0', '--data', join(folder, 'data')]
  const command = spawn(process.execPath, ['bin/tablewire.js', ...args], { cwd: folder, env })
  const { origin, pathname } = new URL(await printedLink(command.stdout))
  return {
    origin,
    link: pathname,
    // The translation is a copy of English, so it has the same type.
    words: (await import(pathToFileURL(file).href)) as EnglishMessages,
    async close() {
      command.kill()
      await once(command, 'exit')
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Adds the language: a file like English, and its name in the list. Returns the file. */
async function addLanguage(folder: string): Promise<string> {
  const file = join(folder, 'ar.ts')
  await writeFile(file, translate(await readFile(join(folder, 'en.ts'), 'utf8')))
  const list = join(folder, 'messages.ts')
  const text = await readFile(list, 'utf8')
  await writeFile(
    list,
    text
      .replace("import * as en from './en.ts'", "$&\nimport * as ar from './ar.ts'")
      .replace(/(LANGUAGES.* = )\[en\]/, '$1[en, ar]'),
  )
  return file
}

const ARABIC = 'ابتثجحخدذرزسشصضطظعغفقكلمنه'

/** Replaces every letter of the messages with an Arabic one, but neither their keys nor the values filled in. */
function translate(english: string): string {
  const letters = english.split('')
  const write = ({ start, end }: ESTree.Span) => {
    for (let at = start; at < end; at++)
      if (/[a-z]/i.test(letters[at]!))
        letters[at] = ARABIC[letters[at]!.toLowerCase().charCodeAt(0) - 'a'.charCodeAt(0)]!
  }
  const keys = new Set<ESTree.Span>()
  new Visitor({
    Property: ({ key }) => void keys.add(key),
    Literal: (literal) => {
      if (typeof literal.value === 'string' && !keys.has(literal)) write(literal)
    },
    TemplateElement: write,
  }).visit(parseSync('en.ts', english).program)
  return letters
    .join('')
    .replace(/ {2}language: .*/, "  language: 'ar',")
    .replace(/ {2}direction: .*/, "  direction: 'rtl' as const,")
}

async function printedLink(output: NodeJS.ReadableStream): Promise<string> {
  for await (const line of createInterface(output)) {
    const link = /^Sign in: (.*)/.exec(line)?.[1]
    if (link !== undefined) return link
  }
  throw new Error('The command ended without a link to sign in by.')
}
