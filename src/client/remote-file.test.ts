import { expect, test } from 'vitest'
import { fetchRemoteFile } from './remote-file.ts'

const { signal } = new AbortController()

/** Asks a server that gives this answer, and returns what it was asked. */
function asking(answer: Response, socket: string | null = null) {
  const asked: [unknown, RequestInit | undefined][] = []
  const file = fetchRemoteFile(
    {
      fetch: async (url, init) => {
        asked.push([url, init])
        return answer
      },
      url: '/tablewire/uploads/fetch',
      csrf: () => 'token',
      socketId: () => socket,
    },
    'https://a.example/é.png?x=1&y=2',
    signal,
  )
  return { asked, file }
}

test('the server is asked with the page’s token, and its answer is a file', async () => {
  const headers = {
    'content-type': 'image/png',
    'content-disposition': "attachment; filename*=UTF-8''caf%C3%A9.png",
  }
  const { asked, file } = asking(new Response('bytes', { headers }), '1.2')
  const { name, type, size } = await file
  expect([name, type, size]).toEqual(['café.png', 'image/png', 5])
  expect(asked).toEqual([
    [
      '/tablewire/uploads/fetch?fetch=https%3A%2F%2Fa.example%2F%C3%A9.png%3Fx%3D1%26y%3D2',
      {
        ...{ method: 'POST', signal },
        headers: {
          ...{ 'X-CSRF-Token': 'token', 'X-Requested-With': 'XMLHttpRequest' },
          'X-Socket-Id': '1.2',
        },
      },
    ],
  ])
})

test('a refusal is told in the server’s words, and in none where something else answers', async () => {
  const refused = Response.json(
    { error: { code: 'NOT_FOUND', message: 'Nothing.' } },
    { status: 404 },
  )
  await expect(asking(refused).file).rejects.toThrow('Nothing.')
  await expect(asking(new Response('<p>', { status: 502 })).file).rejects.toThrow(/^$/)
})
