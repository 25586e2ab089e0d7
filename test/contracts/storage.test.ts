import dns from 'node:dns'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { vi } from 'vitest'
import { createDiskStorage } from '../../src/server/upload/disk-storage.ts'
import type { S3Options } from '../../src/server/upload/s3/s3-options.ts'
import { createS3Storage } from '../../src/server/upload/s3/s3-storage.ts'
import { type FakeS3, openFakeS3 } from '../s3/fake-s3.ts'
import { describeStorage } from './storage.ts'

const OLD_MS = 25 * 60 * 60_000

describeStorage('a folder', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tablewire-storage-'))
  const files = join(folder, 'files')
  const everything = () =>
    readdirSync(files, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name).slice(files.length + 1))
      .toSorted()
  return {
    storage: createDiskStorage(files),
    everything,
    age() {
      const at = new Date(Date.now() - OLD_MS)
      for (const key of everything()) utimesSync(join(files, key), at, at)
    },
    clear() {
      rmSync(files, { recursive: true, force: true })
      mkdirSync(files)
    },
    close: async () => rmSync(folder, { recursive: true }),
  }
})

async function openS3(optionsFor: (fake: FakeS3) => Partial<S3Options>) {
  const fake = await openFakeS3()
  const { prefix = 'tablewire/', ...options } = optionsFor(fake)
  const storage = await createS3Storage({
    ...{ bucket: fake.bucket, ...fake.credentials, prefix, ...options },
    ...{ now: Date.now, log: () => undefined },
  })
  return {
    storage,
    everything: () =>
      [...fake.objects.keys(), ...[...fake.uploads.values()].map(({ key }) => `part of ${key}`)]
        .map((key) => key.replace(prefix, ''))
        .toSorted(),
    age() {
      for (const [key, object] of fake.objects)
        fake.objects.set(key, { ...object, at: object.at - OLD_MS })
    },
    clear() {
      fake.objects.clear()
      fake.uploads.clear()
    },
    close: fake.close,
  }
}

describeStorage('S3, with the bucket in the path', () =>
  openS3(({ endpoint }) => ({ endpoint, prefix: 'shop/files/' })),
)

describeStorage('S3, with the bucket in the host', async () => {
  const { lookup } = dns
  // Resolvers differ in whether they know hosts below localhost.
  const spy = vi
    .spyOn(dns, 'lookup')
    .mockImplementation(((host: string, ...rest: [never, never]) =>
      lookup(host.endsWith('.localhost') ? '127.0.0.1' : host, ...rest)) as typeof lookup)
  const opened = await openS3(({ hostEndpoint }) => ({ endpoint: hostEndpoint, pathStyle: false }))
  return {
    ...opened,
    async close() {
      spy.mockRestore()
      await opened.close()
    },
  }
})
