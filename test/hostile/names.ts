/** Names of what was never declared: methods and paths that must lead nowhere. */

import { anyText, type Attack, draw } from './attack.ts'
import { textOf, update } from './requests.ts'
import type { Target } from './target.ts'

/** What a name that is not known is answered with, to the byte. */
const NOT_FOUND =
  '{"error":{"code":"NOT_FOUND","message":"There is nothing here, or you may not see it."}}'

const own = (...things: readonly object[]) =>
  things.flatMap((thing) => Object.getOwnPropertyNames(thing))

/** What JavaScript's own objects answer to. */
const INHERITED = own(
  Object.prototype,
  Object,
  Function.prototype,
  Map.prototype,
  Set.prototype,
  Array.prototype,
  Promise.prototype,
  Promise,
  String.prototype,
  RegExp.prototype,
  Proxy,
  Reflect,
  globalThis,
)

/** What components, their parts and other frameworks are made of. */
const LIFECYCLE = `
  mount hydrate dehydrate boot booted render rendering rendered updating updated update view authorize
  authorise state actions action args run write name writable schema context actor signal effects sink
  error dispatch redirect url download memo data checksum snapshot seal prepare open close destroy init
  constructor call apply bind set get emit on off once listen then catch finally next return throw
  start-upload finish-upload upload-errored remove-upload startUpload finishUpload uploadErrored
  removeUpload setAllSelected clearSelected enableReordering disableReordering storeReorder
  filterComponents _finishUpload __call __invoke __construct __get __set __toString __destruct
  $refresh $set $toggle $commit $parent $call $wire refresh toggle emitTo emitSelf dispatchSelf
  eval exec system spawn require import process global window document fs child_process query sql
  accounts catalog source totals services metadata preferences users sessions links idempotency
`

const ODD = [
  '',
  ' ',
  '.',
  '..',
  '*',
  '?',
  '0',
  '-1',
  'null',
  'undefined',
  'NaN',
  'true',
  '[]',
  '{}',
  '()',
  "'",
  '"',
  '`',
  '\\',
  '/',
  '%00',
  '\0',
  '\n',
  '\r\nX-Injected: 1',
  '\u202esortBy',
  '\ufeffsortBy',
  '😀',
  '__proto__',
  '__proto__.polluted',
  'constructor.prototype.polluted',
  'prototype',
  '["__proto__"]["polluted"]',
  '__defineGetter__',
  'x'.repeat(1000),
  'a.'.repeat(1000),
  '${7*7}',
  '{{7*7}}',
  '<script>alert(1)</script>',
  '../../etc/passwd',
  "sortBy'; drop table strikes; --",
]

/** A declared name, spelt nearly right. */
const nearly = (name: string): string[] => [
  name.toUpperCase(),
  name.charAt(0).toUpperCase() + name.slice(1),
  name.toLowerCase() === name ? `${name}s` : name.toLowerCase(),
  ` ${name}`,
  `${name} `,
  `${name}\0`,
  `\0${name}`,
  `${name}()`,
  `${name}.run`,
  `${name}.call`,
  `${name}.constructor`,
  `${name}.__proto__`,
  `['${name}']`,
  `["${name}"]`,
  `this.${name}`,
  `actions.${name}`,
  `actions[${name}]`,
  `state.${name}`,
  `$${name}`,
  `_${name}`,
  `#${name}`,
  `${name}\u200b`,
  `${name}\u0301`,
  `\u202e${name}`,
  name.replace(/[aeo]/, (char) => ({ a: 'а', e: 'е', o: 'о' })[char]!),
  [...name].map((char) => String.fromCharCode(char.charCodeAt(0) + 0xfee0)).join(''),
  name.split('').toReversed().join(''),
  encodeURIComponent(`${name}/`),
  `${name}/../${name}`,
  `${name};${name}`,
  `${name},${name}`,
]

const NAMES = [...new Set([...INHERITED, ...LIFECYCLE.trim().split(/\s+/), ...ODD])]

/** Calls of methods that no component has declared. */
export function* methods(target: Target, count: number): Iterable<Attack> {
  for (const { name, actions, ...component } of target.admin.components.values()) {
    const state = component.state(null)
    const everywhere = [...target.admin.components.values()].flatMap((one) => [
      ...one.actions.keys(),
    ])
    const known = [...everywhere, ...state.keys()]
    const random = draw(anyText(30), count)
    const candidates = [...NAMES, ...known, ...known.flatMap(nearly), ...random]
    for (const method of new Set(candidates))
      if (!actions.has(method) && method.isWellFormed()) yield callOf(target, name, method)
    yield {
      name: `${name} calls a megabyte`,
      request: update(target.people.admin, {
        snapshot: target.people.admin.snapshots[name],
        calls: [{ method: 'x'.repeat(1024 * 1024), params: [] }],
      }),
      allowed: [413],
    }
  }
}

const callOf = ({ people: { admin } }: Target, component: string, method: string): Attack => ({
  name: `${component} calls ${JSON.stringify(method).slice(0, 60)}`,
  request: update(admin, { snapshot: admin.snapshots[component], calls: [{ method, params: [] }] }),
  allowed: [404],
  check: ({ body }) => (body === NOT_FOUND ? undefined : `another body: ${body.slice(0, 200)}`),
})

/** Updates of paths that are not there, or not to be changed. */
export function* paths(target: Target, count: number): Iterable<Attack> {
  const { admin } = target.people
  for (const { name, ...component } of target.admin.components.values()) {
    const state = component.state(null)
    const known = [...state.keys()]
    const beneath = known.flatMap((property) =>
      ['0', '-1', '1e9', 'x', 'length', '__proto__', 'constructor.prototype', 'toString', '']
        .map((rest) => `${property}.${rest}`)
        .concat(
          `${property}[0]`,
          `.${property}`,
          `${property}..${property}`,
          `${property}${'.a'.repeat(1000)}`,
        ),
    )
    const random = draw(anyText(30), count)
    const candidates = [...NAMES, ...known.flatMap(nearly), ...beneath, ...random]
    for (const path of new Set(candidates)) {
      // The first place of a list is a property; values of another type are tried elsewhere.
      if (state.has(path) || path === 'selected.0' || !path.isWellFormed()) continue
      // A computed key, so that `__proto__` is a key like any other.
      const text = JSON.stringify({ [path]: { polluted: true } })
      yield {
        name: `${name} sets ${JSON.stringify(path).slice(0, 60)}`,
        request: withUpdates(update(admin, { snapshot: admin.snapshots[name] }), text),
        // Such keys are no JSON of ours at all.
        allowed: ['__proto__', 'constructor', 'prototype'].includes(path) ? [400] : [422],
      }
    }
    for (const property of known)
      yield {
        name: `${name} sets ${property} twice over`,
        request: update(admin, {
          snapshot: admin.snapshots[name],
          updates: { [`${property}.a`]: 1, [`${property}.b`]: 2 },
        }),
        allowed: [422],
      }
  }
}

const withUpdates = (request: Attack['request'], updates: string): Attack['request'] => ({
  ...request,
  payload: textOf(request).replace('"updates":{}', () => `"updates":${updates}`),
})
