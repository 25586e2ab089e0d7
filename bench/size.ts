/** Measures the compressed size of a page turn and of the list page's script. */

import { statSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import type { TableView } from '../src/protocol/table-view.ts'
import type { UpdateResponse } from '../src/protocol/wire.ts'
import { atMost, type Figure } from './measure.ts'
import { type Site, updateBody } from './site.ts'

/** Bytes of the scripts that a page names, as they are sent with brotli. */
async function scriptOf(site: Site, path: string): Promise<number> {
  const response = await fetch(site.origin + path, { headers: site.headers })
  const html = await response.text()
  const files = [...html.matchAll(/(?:src|href)="[^"]*\/([^"/]+\.js)"/g)].map(([, file]) => file)
  return [...new Set(files)].reduce((sum, file) => sum + statSync(`dist/assets/${file}.br`).size, 0)
}

const kilobytes = (bytes: number) => bytes / 1000

export async function size(site: Site): Promise<Figure[]> {
  const columns = 'id,customer_id,status,total,placed_at,note,position'
  const page = await site.page(`/tables/orders?size=50&sort=-placed_at&columns=${columns}`)
  const text = await site.update(updateBody(page, 'turnPage', 'next'))
  const { components } = JSON.parse(text) as UpdateResponse
  const script = await scriptOf(site, '/tables/orders')
  const view = components[0]!.effects.view as unknown as TableView
  return [
    atMost(
      'rows of a page turn, gzip',
      kilobytes(gzipSync(JSON.stringify(view.rows)).length),
      3,
      ' kB',
    ),
    atMost('whole answer of a page turn, gzip', kilobytes(gzipSync(text).length), 5, ' kB'),
    atMost('script of the list page, brotli', kilobytes(script), 95, ' kB', 1),
  ]
}
