import { expect, test } from 'vitest'
import { messagesFor } from '../../messages/messages.ts'
import { deviceText, readDevice } from './device.ts'

const webkit = 'AppleWebKit/537.36 (KHTML, like Gecko)'

test.each([
  [`Mozilla/5.0 (X11; Linux x86_64) ${webkit} Chrome/140.0.0.0 Safari/537.36`, 'Chromium on Linux'],
  [
    `Mozilla/5.0 (X11; Linux x86_64) ${webkit} HeadlessChrome/140.0.0.0 Safari/537.36`,
    'Headless Chromium on Linux',
  ],
  [
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/140.0 Safari/537.36 Edg/140.0`,
    'Edge on Windows',
  ],
  [
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/140.0 Safari/537.36 OPR/120.0`,
    'Opera on Windows',
  ],
  [
    `Mozilla/5.0 (Linux; Android 15; K) ${webkit} Chrome/140.0 Mobile Safari/537.36`,
    'Chromium on Android',
  ],
  [
    `Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${webkit} Chrome/140.0 Safari/537.36`,
    'Chromium on ChromeOS',
  ],
  [
    'Mozilla/5.0 (X11; Ubuntu; Linux x86_64; rv:142.0) Gecko/20100101 Firefox/142.0',
    'Firefox on Linux',
  ],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15',
    'Safari on macOS',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1',
    'Safari on iPhone',
  ],
  [
    'Mozilla/5.0 (iPad; CPU OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) FxiOS/142.0 Mobile/15E148 Safari/605.1.15',
    'Firefox on iPad',
  ],
  [`Mozilla/5.0 (X11; Linux x86_64) ${webkit} Thing/1.0`, 'Unknown browser on Linux'],
  ['Mozilla/5.0', 'Unknown browser'],
  ['Thing/1.0 (Linux)', 'A program on Linux'],
  ['curl/8.5.0', 'A program'],
  ['<script>alert(1)</script>', 'Unknown device'],
  ['', 'Unknown device'],
])('%s is %s', (userAgent, device) => {
  expect(deviceText(readDevice(userAgent), messagesFor('en').devices)).toBe(device)
})
