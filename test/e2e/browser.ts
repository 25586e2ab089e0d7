/** Launches a real Chromium for tests: Debian's if installed, else the one from npm. */

import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

const DEBIAN = '/usr/bin/chromium'
const ARGS = [
  '--no-sandbox',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

export async function launchBrowser(): Promise<Browser> {
  if (existsSync(DEBIAN)) return chromium.launch({ executablePath: DEBIAN, args: ARGS })
  const { default: packed } = await import('@sparticuz/chromium')
  return chromium.launch({
    executablePath: await packed.executablePath(),
    args: [...packed.args, ...ARGS],
  })
}
