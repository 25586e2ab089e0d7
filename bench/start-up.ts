/** The time from `npm start` on an existing demo to the first served list. */

import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { atMost, type Figure, median } from './measure.ts'
import { printedLink } from './printed-link.ts'

const ROUNDS = 5

/** Signs in by the printed link without a cookie; the time ends with the list's last byte. */
async function once(data: string, cookie: string | null): Promise<{ ms: number; cookie: string }> {
  const started = performance.now()
  const server = spawn('npm', ['start', '--silent', '--', '--port', '0', '--data', data], {
    detached: true,
  })
  try {
    const link = await printedLink(server.stdout)
    const origin = new URL(link).origin
    const session = cookie ?? (await signIn(link))
    const response = await fetch(`${origin}/tables/strikes`, { headers: { cookie: session } })
    const html = await response.text()
    if (!html.includes('data-row-key')) throw new Error(`No list: ${response.status}`)
    return { ms: performance.now() - started, cookie: session }
  } finally {
    process.kill(-server.pid!, 'SIGTERM')
    await new Promise((resolve) => server.once('close', resolve))
  }
}

async function signIn(link: string): Promise<string> {
  const form = await fetch(link)
  const visitor = form.headers.getSetCookie()[0]!.split(';', 1)[0]!
  const token = /name="_token" value="([^"]+)"/.exec(await form.text())![1]!
  const answer = await fetch(link, {
    method: 'POST',
    redirect: 'manual',
    headers: { cookie: visitor, 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({
      _token: token,
      name: 'Bench',
      email: 'bench@example.org',
      password: 'correct horse battery',
    }),
  })
  return answer.headers
    .getSetCookie()
    .map((line) => line.split(';', 1)[0]!)
    .join('; ')
}

export async function startUp(): Promise<Figure[]> {
  const data = mkdtempSync(join(tmpdir(), 'tablewire-start-'))
  const { cookie } = await once(data, null)
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round++) times.push((await once(data, cookie)).ms)
  rmSync(data, { recursive: true, force: true })
  return [atMost('npm start to the first served list', median(times) / 1000, 1.5, ' s')]
}
