/** Compares the list page with Django's admin: requests a second on the same data, in the same run. */

import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import autocannon from 'autocannon'
import { atLeast, type Figure, median } from './measure.ts'
import { isServer, type Site } from './site.ts'

const ROUNDS = 5
const SECONDS = 4
const CONNECTIONS = 4
/** Debian's own Python, for which Django and its drivers are packaged. */
const PYTHON = '/usr/bin/python3'

export async function peer(site: Site): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'tablewire-peer-'))
  const env = {
    ...process.env,
    PYTHONDONTWRITEBYTECODE: '1',
    BENCH_FOLDER: folder,
    BENCH_DATABASE: databaseOf(site),
  }
  const made = spawnSync(PYTHON, ['bench/peers/django_admin.py', 'session'], {
    env,
    encoding: 'utf8',
  })
  if (made.status !== 0) {
    console.log(
      `  Django is not there (apt-get install python3-django python3-psycopg2 python3-mysqldb gunicorn)`,
    )
    return []
  }
  const port = await freePort()
  const server = spawn(
    'gunicorn',
    ['--chdir', 'bench/peers', '-w', '1', '-b', `127.0.0.1:${port}`, 'django_admin:application'],
    { env, stdio: 'ignore' },
  )
  try {
    const theirs = {
      url: `http://127.0.0.1:${port}/admin/shop/order/`,
      headers: { cookie: `sessionid=${made.stdout.trim()}` },
    }
    const ours = {
      url: `${site.origin}/tables/orders?size=50&sort=-placed_at`,
      headers: site.headers,
    }
    await untilServed(theirs, server)
    const rates = { ours: [] as number[], theirs: [] as number[] }
    for (let round = 0; round < ROUNDS; round++) {
      rates.ours.push(await perSecond(ours))
      rates.theirs.push(await perSecond(theirs))
    }
    const ratio = median(rates.ours.map((rate, i) => rate / rates.theirs[i]!))
    console.log(
      `  list page ${median(rates.ours).toFixed(0)}/s, Django ${median(rates.theirs).toFixed(1)}/s`,
    )
    return [atLeast("list page ÷ Django admin's, requests a second", ratio, 10)]
  } finally {
    const ended = once(server, 'exit')
    server.kill()
    await ended
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The database in the form that `django_admin.py` expects. */
function databaseOf(site: Site): string {
  if (!isServer(site)) return `sqlite:${resolve(site.database)}`
  const { protocol, pathname } = new URL(site.database)
  return `${protocol.startsWith('postgres') ? 'postgres' : 'mysql'}:${pathname.slice(1)}`
}

type Target = { readonly url: string; readonly headers: Record<string, string> }

async function untilServed({ url, headers }: Target, server: ChildProcess): Promise<void> {
  while (server.exitCode === null) {
    const response = await fetch(url, { headers, redirect: 'manual' }).catch(() => undefined)
    const text = (await response?.text()) ?? ''
    if (response?.status === 200 && text.includes('result_list')) return
    if (response) throw new Error(`Django answered ${response.status}.`)
  }
  throw new Error('Django ended.')
}

async function perSecond({ url, headers }: Target): Promise<number> {
  const result = await autocannon({
    url,
    headers,
    connections: CONNECTIONS,
    duration: SECONDS,
    workers: 1,
    timeout: 60,
  })
  // A gunicorn worker closes each connection after its answer, which the load generator counts as an error.
  if (result.non2xx > 0) throw new Error(`${url}: ${result.non2xx} refused`)
  // No answer in the whole time counts as one, its upper bound.
  if (result['2xx'] === 0) return 1 / SECONDS
  return result['2xx'] / result.duration
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const address = server.address()
  await new Promise((done) => server.close(done))
  return typeof address === 'object' && address ? address.port : 0
}
