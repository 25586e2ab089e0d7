/** Writes a `.br` beside each text file of a build, so that a static server need not compress. */

import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'

const compress = promisify(brotliCompress)

/** Returns the compressed size of each file, bytes, by name. */
export async function compressFolder(folder: string): Promise<ReadonlyMap<string, number>> {
  const names = (await readdir(folder)).filter((name) => /\.(js|css)$/.test(name))
  const sizes = names.map(async (name) => [name, await compressFile(join(folder, name))] as const)
  return new Map(await Promise.all(sizes))
}

async function compressFile(file: string): Promise<number> {
  const text = await readFile(file)
  const params = { [constants.BROTLI_PARAM_SIZE_HINT]: text.length }
  const small = await compress(text, { params })
  await writeFile(`${file}.br`, small)
  return small.length
}
