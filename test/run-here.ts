/** Runs the command to its end in this process, where a process of its own would only take longer. */

import { vi } from 'vitest'
import { main } from '../src/cli/main.ts'

type Run = {
  readonly args: readonly string[]
  /** The folder that it is run in. */
  readonly folder: string
  readonly env?: NodeJS.ProcessEnv
}

/** Tests of a worker run one after the other, so that its folder and console are theirs. */
export async function runHere({ args, folder, env = {} }: Run) {
  const before = process.cwd()
  let [out, err] = ['', '']
  const log = vi.spyOn(console, 'log').mockImplementation((line) => void (out += `${line}\n`))
  const error = vi.spyOn(console, 'error').mockImplementation((line) => void (err += `${line}\n`))
  process.chdir(folder)
  try {
    return { code: await main(args, { PATH: process.env['PATH'], ...env }), out, err }
  } finally {
    process.chdir(before)
    log.mockRestore()
    error.mockRestore()
  }
}
