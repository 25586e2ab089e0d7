import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse, record, string, union, object, looseObject } from 'valibot'

const root = join(import.meta.dirname, '..')
const doorSchema = union([string(), object({ types: string(), default: string() })])
const { exports: doors, imports } = parse(
  looseObject({ exports: record(string(), doorSchema), imports: record(string(), string()) }),
  JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')),
)
const files = globSync('src/exports/*.ts', { cwd: root })
  .map((path) => basename(path, '.ts'))
  .toSorted()

const nameOf = (door: string) => (door === '.' ? 'index' : door.slice('./'.length))
const code = Object.entries(doors).filter(([door]) => door !== './package.json')

describe('the doors of the package', () => {
  test('are the files of src/exports', () => {
    expect(code.map(([door]) => nameOf(door)).toSorted()).toEqual(files)
  })

  test.each(code)('%s leads to its own build, types first', (door, target) => {
    const built = `./dist/exports/${nameOf(door)}`
    expect(Object.entries(target)).toEqual([
      ['types', `${built}.d.ts`],
      ['default', `${built}.js`],
    ])
  })

  test('let package.json be read', () => {
    expect(doors['./package.json']).toBe('./package.json')
  })
})

test('the server reaches the built renderer by one name alone', () => {
  expect(imports).toEqual({ '#render': './dist/ui/render.js' })
})
