/** What each role reads and changes, asked of the admin itself: `node --test`. */

import { deepEqual, equal, match } from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, test } from 'node:test'
import { createAdmin, openSqlite } from 'tablewire'
import { makeOrchard } from './orchard.ts'
import { roles } from './roles.ts'

const file = makeOrchard()
const dataFolder = mkdtempSync(join(tmpdir(), 'tablewire-roles-'))
const admin = await createAdmin({
  source: await openSqlite(file, { readOnly: false }),
  ...{ dataFolder, roles, write: true },
  auth: {
    // Stands in for your own sign-in: a cookie names the role and the address.
    authenticate({ headers }) {
      const [, role, email] = /who=(\w+):([\w@.]+)/.exec(headers.cookie ?? '') ?? []
      return role === undefined || email === undefined
        ? undefined
        : { id: email, name: email, email, role, session: email }
    },
    signInUrl: () => '/login',
  },
})
after(async () => {
  await admin.close()
  for (const folder of [dirname(file), dataFolder]) rmSync(folder, { recursive: true })
})

const ask = (who: string, path: string, form?: Record<string, string>) =>
  admin.fetch(
    new Request(`http://localhost${path}`, {
      headers: { cookie: `who=${who}` },
      ...(form && { method: 'POST', body: new URLSearchParams(form) }),
    }),
  )

/** Posts a form of a page with what stands hidden in it, as a browser without script does. */
async function post(who: string, path: string, to: string, fields: Record<string, string> = {}) {
  const page = await (await ask(who, path)).text()
  const hidden = page.matchAll(/type="hidden" name="(_token|shown)" value="([^"]*)"/g)
  const sent = [...hidden].map(([, name, value]) => [name, value?.replaceAll('&quot;', '"')])
  return ask(who, to, { ...Object.fromEntries(sent), ...fields })
}

/** An exported list, line by line. */
async function rowsOf(who: string, path = '/tables/harvests'): Promise<string[]> {
  const answer = await post(who, path, `${path}/export`)
  return (await answer.text()).replace('\ufeff', '').trim().split('\r\n')
}

test('a grower reads the own harvest, without prices', async () => {
  deepEqual(await rowsOf('grower:ilse@example.org'), [
    'Fruit,Crates,Notes',
    'Medlar,6,',
    'Quince,14,',
  ])
  equal((await ask('grower:ilse@example.org', '/tables/harvests/records/2')).status, 404)
})

test('somebody who grows nothing reads nothing', async () => {
  equal((await rowsOf('grower:eve@example.org')).length, 1)
})

test('the desk reads all harvests, and nothing of growers', async () => {
  equal((await rowsOf('desk:dan@example.org')).length, 5)
  equal((await ask('desk:dan@example.org', '/tables/growers')).status, 404)
})

test('a grower changes crates, and nothing else', async () => {
  const form = '/tables/harvests/records/1?edit=on'
  const change = async (field: string, value: string) =>
    (await post('grower:ilse@example.org', form, form, { [`set.${field}`]: value })).status
  deepEqual(
    [await change('crates', '15'), await change('price', '1'), await change('grower_id', '2')],
    [303, 403, 403],
  )
  match((await rowsOf('desk:dan@example.org')).join('\n'), /Quince,15/)
})
