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

/** `scrollbars`: that stand beside what they scroll, as on most desktops. Default: none are drawn. */
export async function launchBrowser({ scrollbars = false } = {}): Promise<Browser> {
  const look = scrollbars ? { ignoreDefaultArgs: ['--hide-scrollbars'] } : {}
  if (existsSync(DEBIAN)) return chromium.launch({ executablePath: DEBIAN, args: ARGS, ...look })
  const { default: packed } = await import('@sparticuz/chromium')
  return chromium.launch({
    executablePath: await packed.executablePath(),
    args: [...packed.args, ...ARGS],
    ...look,
  })
}
