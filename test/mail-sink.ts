/** A mail server that keeps what it is sent: as much of SMTP as a client needs. */

import { createServer, type Socket } from 'node:net'

export type SunkMail = {
  readonly from: string
  readonly to: readonly string[]
  /** Headers and body, as they came. */
  readonly data: string
}

export type MailSink = {
  /** For `SMTP_URL`. */
  readonly url: string
  readonly mails: SunkMail[]
  close(): Promise<void>
}

export type MailSinkOptions = {
  /** Answers what a command begins with in another way, such as `{ RCPT: '550 No.' }`; `null`: never. */
  readonly instead?: Readonly<Record<string, string | null>>
  /** How long it thinks about each answer, ms. Default: not at all. */
  readonly pauseMs?: number
}

export async function openMailSink(options: MailSinkOptions = {}): Promise<MailSink> {
  const mails: SunkMail[] = []
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket)).on('error', () => undefined)
    serve(socket, options, (mail) => mails.push(mail))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return {
    url: `smtp://127.0.0.1:${port}`,
    mails,
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy()
        server.close(() => resolve())
      }),
  }
}

function serve(
  socket: Socket,
  { instead = {}, pauseMs = 0 }: MailSinkOptions,
  keep: (mail: SunkMail) => void,
): void {
  let [text, from] = ['', '']
  let to: string[] = []
  let isData = false
  const write = (line: string) => void socket.write(`${line}\r\n`)
  const say = (line: string) =>
    pauseMs === 0 ? write(line) : void setTimeout(write, pauseMs, line).unref()
  const inBrackets = (line: string) => /<([^>]*)>/.exec(line)?.[1] ?? ''
  const answers: { readonly [verb: string]: (line: string) => string } = {
    EHLO: () => '250-sink\r\n250 AUTH PLAIN',
    AUTH: () => '235 In.',
    MAIL: (line) => ((from = inBrackets(line)), '250 OK'),
    RCPT: (line) => (to.push(inBrackets(line)), '250 OK'),
    DATA: () => ((isData = true), '354 Go on.'),
    QUIT: () => '221 Bye.',
  }
  socket.on('data', (chunk) => {
    text += String(chunk)
    for (;;) {
      const end = text.indexOf(isData ? '\r\n.\r\n' : '\r\n')
      if (end < 0) return
      const part = text.slice(0, end)
      text = text.slice(end + (isData ? 5 : 2))
      if (isData) {
        keep({ from, to, data: part })
        ;[isData, from, to] = [false, '', []]
        say('250 Kept.')
        continue
      }
      const verb = part.slice(0, 4).toUpperCase()
      const answer = Object.hasOwn(instead, verb) ? instead[verb] : answers[verb]?.(part)
      if (answer !== null) say(answer ?? '502 What?')
    }
  })
  const greeting = Object.hasOwn(instead, 'HELO') ? instead['HELO'] : '220 sink'
  if (greeting !== null && greeting !== undefined) say(greeting)
}
