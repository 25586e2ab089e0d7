/** Measures the compressed size of a page turn and of the list page's script. */

import { readdirSync, statSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { languages } from '../src/messages/messages.ts'
import type { TableView } from '../src/protocol/table-view.ts'
import type { UpdateResponse } from '../src/protocol/wire.ts'
import { atMost, type Figure } from './measure.ts'
import { type Site, updateBody } from './site.ts'

/** Whether a file holds another language's messages, which a page does not load. */
const isForeign = (file: string) =>
  languages.some((language) => language !== 'en' && file.startsWith(`${language}-`))

const kilobytes = (bytes: number) => bytes / 1000

export async function size(site: Site): Promise<Figure[]> {
  const columns = 'id,customer_id,status,total,placed_at,note,position'
  const page = await site.page(`/tables/orders?size=50&sort=-placed_at&columns=${columns}`)
  const response = await fetch(`${site.origin}/tablewire/update`, {
    method: 'POST',
    headers: { ...site.headers, 'content-type': 'application/json', 'x-tablewire': '1' },
    body: updateBody(page, 'turnPage', 'next'),
  })
  const text = await response.text()
  const { components } = JSON.parse(text) as UpdateResponse
  const view = components[0]!.effects.view as unknown as TableView
  const script = readdirSync('dist/assets')
    .filter((file) => /\.js\.br$/.test(file) && !isForeign(file))
    .reduce((sum, file) => sum + statSync(`dist/assets/${file}`).size, 0)
  return [
    atMost(
      'rows of a page turn, gzip',
      kilobytes(gzipSync(JSON.stringify(view.rows)).length),
      3,
      ' kB',
    ),
    atMost('whole answer of a page turn, gzip', kilobytes(gzipSync(text).length), 5, ' kB'),
    atMost('script of the list page, brotli', kilobytes(script), 90, ' kB', 1),
  ]
}
