/** The registry: which command a key runs, and what is listed. */

import { beforeEach, describe, expect, test } from 'vitest'
import { ariaKeys, capsOf } from './key-caps.ts'
import { type Command, createRegistry, type Registry } from './registry.ts'
import { withoutTaken } from './use-groups.ts'

let registry: Registry
let clock: number

beforeEach(() => {
  registry = createRegistry()
  clock = 0
})

const command = (label: string, keys?: string): Command => ({
  ...{ label, run: () => label },
  ...(keys !== undefined && { keys }),
})

/** Presses keys one after another; the names of the commands that they run. */
const press = (...keys: (string | Partial<KeyboardEvent>)[]) =>
  keys.map((key) => {
    clock += 100
    const pressed = typeof key === 'string' ? { key } : key
    // The registry reads nothing else of an event.
    return registry.commandFor({ timeStamp: clock, target: null, ...pressed } as KeyboardEvent)
      ?.label
  })

const add = (place: 'page' | 'shell', ...commands: (Command | false)[]) =>
  registry.add(() => ({ title: place, commands }), place)

describe('a key', () => {
  test('runs its command while that is registered', () => {
    const remove = add('page', command('next', 'j'), false)
    expect(press('j', 'k')).toEqual(['next', undefined])
    remove()
    expect(press('j')).toEqual([undefined])
  })

  test('means what the page says, and is then not listed for the shell', () => {
    add('shell', command('theme', 't'))
    add('page', command('take', 't'))
    expect(press('t')).toEqual(['take'])
    const listed = withoutTaken(registry.groups()).map(({ commands }) =>
      commands.map(({ keys }) => keys),
    )
    expect(listed).toEqual([[undefined], ['t']])
  })

  test('may be the second of two, if it comes soon', () => {
    add('shell', command('home', 'g h'), command('help', 'h'))
    expect(press('g', 'h', 'h')).toEqual([undefined, 'home', 'help'])
    press('g')
    clock += 1000
    expect(press('h')).toEqual(['help'])
  })

  test('is another one with Ctrl or Cmd, and an arrow is another one with Shift', () => {
    add('page', command('find', 'Mod+k'), command('up', 'k'), command('down', 'ArrowDown'))
    const held = [{ ctrlKey: true }, { metaKey: true }].map((with_) => ({ key: 'K', ...with_ }))
    expect(press(...held, 'k')).toEqual(['find', 'find', 'up'])
    add('page', command('all', 'Mod+Shift+k'))
    expect(press({ key: 'K', ctrlKey: true, shiftKey: true })).toEqual(['all'])
    expect(press('ArrowDown', { key: 'ArrowDown', shiftKey: true })).toEqual(['down', undefined])
  })
})

test('keys are shown as caps, and told to assistive technology', () => {
  expect(capsOf('Mod+k', true)).toEqual(['⌘', 'K'])
  expect(capsOf('Mod+Home', false)).toEqual(['Ctrl', 'Home'])
  expect(capsOf('g h', false)).toEqual(['G', 'H'])
  expect(capsOf('Mod+Shift+a', false)).toEqual(['Ctrl', '⇧', 'A'])
  expect([capsOf('J', false), capsOf('+', false)]).toEqual([['⇧', 'J'], ['+']])
  expect(ariaKeys('Mod+Shift+a')).toBe('Control+Shift+A Meta+Shift+A')
  expect(ariaKeys('Mod+k')).toBe('Control+K Meta+K')
  expect([ariaKeys('g h'), ariaKeys('?')]).toEqual([undefined, '?'])
})
