/** pusher-js’s own integration specs, as its package holds them: bundled, and on the functions that they take for granted. */

import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { build, type Rolldown } from 'vite'
import { afterEach, vi, type Mock } from 'vitest'
import { WebSocket } from 'ws'

const root = dirname(createRequire(import.meta.url).resolve('pusher-js/package.json'))
const specs = join(root, 'spec/javascripts')
const SPECS = [
  'cluster_config_spec',
  'falling_back_spec',
  'pusher_spec/index',
  'timeout_configuration_spec',
  'transport_lists_spec',
].map((name) => join(specs, 'integration/core', `${name}.js`))

/** Whether the package has its specs, which it need not. */
export const hasSpecs = SPECS.every((file) => existsSync(file))

/** As their own list for Node has them. */
const CONFIGS = [
  { transport: 'ws', forceTLS: true },
  { transport: 'ws', forceTLS: false },
]

/** What is replaced: what is not installed, and what only browsers have. */
const MODULES: { readonly [name: string]: string } = {
  'pusher-specs': SPECS.map(
    (file) => `require(${JSON.stringify(file)})(${JSON.stringify(CONFIGS)})`,
  ).join('\n'),
  testenv: `module.exports = 'node'`,
  'dom/dependencies': '',
  'dom/dependency_loader': '',
  'faye-websocket': 'export const Client = globalThis.pusherSuite.Socket',
  // No spec reads an encrypted channel.
  '@stablelib/utf8': 'export const encode = null, decode = null',
  '@stablelib/base64': 'export const encode = null, decode = null',
  xmlhttprequest: 'export const XMLHttpRequest = globalThis.pusherSuite.Request',
}

/** The specs as one script, which declares them when it runs. */
export async function bundleSpecs(): Promise<string> {
  const within = (folder: string) => ({ replacement: join(root, 'src', folder, '$1') })
  const built = await build({
    ...{ root, configFile: false, logLevel: 'error' },
    define: {
      VERSION: '"8"',
      CDN_HTTP: '""',
      CDN_HTTPS: '""',
      DEPENDENCY_SUFFIX: '""',
      RUNTIME: '"node"',
    },
    plugins: [
      {
        name: 'replaced',
        enforce: 'pre',
        resolveId: (id) => (id in MODULES ? `\0${id}` : undefined),
        load: (id) => MODULES[id.slice(1)],
      },
    ],
    resolve: {
      extensions: ['.ts', '.js'],
      alias: [
        { find: 'pusher_integration', replacement: join(root, 'src/core/pusher.js') },
        { find: 'integration', replacement: join(specs, 'helpers/node/integration.js') },
        { find: 'mocks', replacement: join(specs, 'helpers/mocks.js') },
        { find: /^(net_info|runtime)$/, ...within('runtimes/node') },
        { find: /^((?:isomorphic)\/.*)$/, ...within('runtimes') },
        { find: /^((?:core|runtimes)\/.*)$/, ...within('') },
      ],
    },
    ssr: { noExternal: true },
    build: {
      ...{ ssr: true, write: false, minify: false },
      // Scripts of their time: they assign variables that they have not declared.
      rolldownOptions: { input: 'pusher-specs', output: { format: 'cjs', strict: false } },
    },
  })
  const [{ output }] = [built].flat() as [Rolldown.RolldownOutput]
  return output[0].code
}

/** What answers the specs instead of the application and the server that they were written for. */
export type Answers = {
  /** Where sockets of the application with this key connect. */
  socketOrigin(key: string): string
  /** The application’s answer to a request; `undefined` for other addresses, which never answer. */
  answer(url: URL, form: URLSearchParams): Promise<unknown>
}

/** Puts in place what the specs find around them, until what is returned is called. */
export function surround({ socketOrigin, answer }: Answers): () => void {
  class Socket extends WebSocket {
    constructor(url: string) {
      const { pathname, search } = new URL(url)
      super(socketOrigin(pathname.split('/').at(-1) ?? '') + pathname + search)
    }
  }
  class Request {
    readyState = 0
    status = 0
    responseText = ''
    onreadystatechange: (() => void) | undefined
    #url = ''
    open(_method: string, url: string): void {
      this.#url = url
    }
    setRequestHeader(): void {}
    abort(): void {}
    send(body = ''): void {
      void answer(new URL(this.#url), new URLSearchParams(body)).then((answered) => {
        if (answered === undefined) return
        Object.assign(this, { readyState: 4, status: 200, responseText: JSON.stringify(answered) })
        this.onreadystatechange?.()
      })
    }
  }
  const clock = {
    install: () => void vi.useFakeTimers(),
    uninstall: () => void vi.useRealTimers(),
    tick: (ms: number) => void vi.advanceTimersByTime(ms),
  }
  vi.stubGlobal('pusherSuite', { Socket, Request })
  vi.stubGlobal('jasmine', { createSpy: () => spied(vi.fn()), clock: () => clock })
  vi.stubGlobal('spyOn', (on: Record<string, () => unknown>, name: string) =>
    spied(vi.spyOn(on, name).mockReturnValue(undefined)),
  )
  // Jasmine takes its spies back after each spec.
  afterEach(() => void vi.restoreAllMocks())
  return () => vi.unstubAllGlobals()
}

/** A mock with the words of Jasmine. */
function spied(mock: Mock) {
  return Object.assign(mock, {
    and: {
      returnValue: (value: unknown) => spied(mock.mockReturnValue(value)),
      callFake: (fake: () => unknown) => spied(mock.mockImplementation(fake)),
    },
    calls: { count: () => mock.mock.calls.length },
  })
}
