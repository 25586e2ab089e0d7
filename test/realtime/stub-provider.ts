/** A stand-in for the hosted provider, which checks names, TLS and signatures as its documents say. */

import { createHash, createHmac } from 'node:crypto'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { Agent, createServer } from 'node:https'
import type { Duplex } from 'node:stream'
import { type TLSSocket, connect } from 'node:tls'
import { certificateOf } from './certificate.ts'

export type Asked = {
  readonly method: string
  readonly path: string
  readonly parameters: Readonly<Record<string, string>>
  readonly body: string
  /** The name that the TLS connection was opened for. */
  readonly server: string
}

export type StubProvider = {
  /** Well-signed requests, the first one first. */
  readonly asked: Asked[]
  /** What was wrong with the others. */
  readonly faults: string[]
  /** Hosts and ports that connections were asked for. */
  readonly places: string[]
  /** Answers to paths after the app's own. Default: an empty object. */
  readonly answers: Map<string, { status: number; body: string }>
  /** Connects to it whatever the address is; trusts its certificate unless told otherwise. */
  agent(trusts?: boolean): Agent
  close(): Promise<void>
}

export async function startStub(
  host: string,
  { id, key, secret }: { id: string; key: string; secret: string },
): Promise<StubProvider> {
  const certificate = certificateOf(host)
  const asked: Asked[] = []
  const faults: string[] = []
  const places: string[] = []
  const answers: StubProvider['answers'] = new Map()
  const agents: Agent[] = []

  /** What is wrong with a request, by the provider's own rules. */
  function faultOf({ method, path, parameters, body }: Asked): string | undefined {
    const { auth_signature: signature, ...signed } = parameters
    const query = Object.keys(signed)
      .toSorted()
      .map((name) => `${name}=${signed[name]}`)
      .join('&')
    const mac = createHmac('sha256', secret).update(`${method}\n${path}\n${query}`).digest('hex')
    const digest = createHash('md5').update(body).digest('hex')
    if (!path.startsWith(`/apps/${id}/`)) return `path ${path}`
    if (signed['auth_key'] !== key || signed['auth_version'] !== '1.0') return 'key or version'
    if (Math.abs(Number(signed['auth_timestamp']) - Date.now() / 1000) > 600) return 'time'
    if (body !== '' && signed['body_md5'] !== digest) return 'body_md5'
    return signature === mac ? undefined : 'auth_signature'
  }

  const server = createServer(certificate, (request, response) => {
    let body = ''
    request.on('data', (chunk) => (body += String(chunk)))
    request.on('end', () => {
      const one = askedOf(request, body)
      const fault = faultOf(one)
      if (fault === undefined) asked.push(one)
      else faults.push(fault)
      const known = answers.get(one.path.replace(`/apps/${id}`, ''))
      const { status, body: text } = known ?? { status: 200, body: '{}' }
      response.writeHead(fault === undefined ? status : 401).end(text)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }

  return {
    ...{ asked, faults, places, answers },
    agent(trusts = true) {
      const agent = new Agent(trusts ? { ca: certificate.cert } : {})
      agent.createConnection = (options): Duplex => {
        places.push(`${options.host}:${options.port}`)
        return connect({ ...options, host: '127.0.0.1', port, path: undefined } as object)
      }
      agents.push(agent)
      return agent
    },
    async close() {
      for (const agent of agents) agent.destroy()
      server.closeAllConnections()
      server.close()
      if (server.listening) await once(server, 'close')
    },
  }
}

function askedOf(request: IncomingMessage, body: string): Asked {
  const { pathname, searchParams } = new URL(request.url ?? '', 'https://stub')
  return {
    method: request.method ?? '',
    path: pathname,
    parameters: Object.fromEntries(searchParams),
    body,
    server: String((request.socket as TLSSocket & { servername?: string | false }).servername),
  }
}
