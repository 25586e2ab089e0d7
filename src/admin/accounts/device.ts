/** Names the browser and system behind a user agent string, as people call them. */

import type { ServerMessages } from '../../messages/messages.ts'

/** The first match counts: most browsers also include the names of others in their string. */
const BROWSERS: readonly [pattern: RegExp, name: string][] = [
  [/\b(?:Headless)?Edg(?:e|A|iOS)?\//, 'Edge'],
  [/\b(?:OPR|OPiOS|Opera)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bVivaldi\//, 'Vivaldi'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Headless)?Chrom(?:e|ium)\/|\bCriOS\//, 'Chromium'],
  [/\bVersion\/.*\bSafari\//, 'Safari'],
]

const SYSTEMS: readonly [pattern: RegExp, name: string][] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bLinux\b|\bX11\b/, 'Linux'],
]

/** Without a window: usually a program that drives the browser. */
const HEADLESS = /\bHeadless/
/** Every browser’s string begins like this. */
const SOME_BROWSER = /^Mozilla\/\d/
/** How programs name themselves, such as `curl/8.5.0`. */
const PROGRAM = /^[\w.-]+\/\d/

export type Device = {
  readonly kind: 'browser' | 'headless' | 'program' | 'unknown'
  /** A name from the lists above, never text from the string itself; `null` where none matches. */
  readonly browser: string | null
  readonly system: string | null
}

/** Reads a user agent string. Chrome’s cannot be told from Chromium’s. */
export function readDevice(userAgent: string): Device {
  const browser = nameIn(BROWSERS, userAgent)
  return { kind: kindOf(userAgent, browser), browser, system: nameIn(SYSTEMS, userAgent) }
}

function kindOf(userAgent: string, browser: string | null): Device['kind'] {
  if (browser !== null) return HEADLESS.test(userAgent) ? 'headless' : 'browser'
  if (SOME_BROWSER.test(userAgent)) return 'browser'
  return PROGRAM.test(userAgent) ? 'program' : 'unknown'
}

const nameIn = (names: readonly [RegExp, string][], text: string): string | null =>
  names.find(([pattern]) => pattern.test(text))?.[1] ?? null

/** The device in words, such as “Chromium on Linux”. */
export function deviceText(device: Device, words: ServerMessages['devices']): string {
  const name = programText(device, words)
  return device.system === null ? name : words.on(name, device.system)
}

function programText({ kind, browser }: Device, words: ServerMessages['devices']): string {
  if (browser !== null) return kind === 'headless' ? words.headless(browser) : browser
  return kind === 'program' || kind === 'browser' ? words[kind] : words.unknown
}
