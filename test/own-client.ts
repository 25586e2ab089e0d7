/** A client with pages of one's own, as `tablewire build` would write it, made without a build. */

import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CLIENT_PARTS, OWN_CLIENT, ownVersion } from '../src/admin/compose/client-folders.ts'

/** Draws pages by what their own components and data say. `pages`: a JavaScript object's text. */
const renderer = (pages: string) => `
  import { createElement as h } from 'react'
  import { useComponent } from 'tablewire/react'
  import { createRenderer, defineClient } from 'tablewire/ui'
  const Count = ({ id }) => h('output', { name: id }, useComponent(id).view.count)
  export const { render, pages, added } = createRenderer(defineClient({ pages: ${pages} }))
`

/** Writes it into a folder. */
export async function writeClient(folder: string, pages: string): Promise<string> {
  cpSync(OWN_CLIENT, join(folder, CLIENT_PARTS.browser), { recursive: true })
  mkdirSync(join(folder, 'server'), { recursive: true })
  writeFileSync(join(folder, CLIENT_PARTS.renderer), renderer(pages))
  writeFileSync(join(folder, CLIENT_PARTS.note), JSON.stringify({ with: await ownVersion() }))
  return folder
}
