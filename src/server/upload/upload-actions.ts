/** The calls that an upload makes to its component: `start-upload`, `finish-upload`, `upload-errored`, `remove-upload` (spec §4). */

import * as v from 'valibot'
import { messagesFor } from '../../messages/messages.ts'
import type { JsonObject } from '../../protocol/json.ts'
import { getPath, parsePath, withPath } from '../../protocol/path.ts'
import { UPLOAD_CALLS, UPLOAD_TOGETHER, type UploadedFile } from '../../protocol/upload.ts'
import { AppError } from '../app-error.ts'
import type { Action, Context, LoadContext } from '../component/component.ts'
import type { Reader } from '../http/locale.ts'
import { refuse } from '../refuse.ts'
import { type UploadRules, takeFiles } from './upload-rules.ts'

/** What each property takes, by its dotted path; the others take nothing. */
export type DeclaredUploads = { readonly [property: string]: UploadRules } | UploadRulesBy['rules']

/** Declared as a method, so that a component's own context is one. */
type UploadRulesBy = { rules(property: string, context: LoadContext): UploadRules | undefined }

/** The schema of a property that holds uploads: those that have arrived, in order. */
export const uploadedFiles = v.array(
  v.object({ path: v.string(), name: v.string(), size: v.number(), type: v.string() }),
)

const MESSAGES = 20
const LONGEST_BODY = 16 * 1024

const property = v.pipe(v.string(), v.maxLength(200))
const isMultiple = v.boolean()
const facts = v.strictObject({
  name: v.pipe(v.string(), v.minLength(1), v.maxLength(255)),
  size: v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
  type: v.pipe(v.string(), v.maxLength(200)),
})
const some = <Item extends v.GenericSchema>(item: Item) =>
  v.pipe(v.array(item), v.minLength(1), v.maxLength(UPLOAD_TOGETHER))

/** The actions by name; none where nothing is declared. */
export function uploadActions(declared: DeclaredUploads | undefined): [string, Action][] {
  if (!declared) return []
  const rulesOf = (context: Context, at: string, multiple: boolean): UploadRules => {
    const rules = typeof declared === 'function' ? declared(at, context) : ownOf(declared, at)
    if (!rules || !parsePath(at) || (multiple && !rules.multiple)) throw new AppError('NOT_FOUND')
    return rules
  }
  return [
    action(UPLOAD_CALLS.start, 'query', [property, some(facts), isMultiple], {
      run: (context, at, files, multiple) => {
        const rules = rulesOf(context, at, multiple)
        const taken = takeFiles(rules, files, filesAt(context.state, at).length, context)
        return context.uploads.start(at, taken)
      },
    }),
    action(UPLOAD_CALLS.finish, 'command', [property, some(v.string()), isMultiple], {
      run: async (context, at, paths, multiple) => {
        const rules = rulesOf(context, at, multiple)
        const held = filesAt(context.state, at)
        // A retry brings files that are there.
        const others = held.filter(({ path }) => !paths.includes(path))
        const files = await context.uploads.finish(at, paths).catch(refuseIn(context))
        takeFiles(rules, files, others.length, context)
        if (!rules.multiple) for (const { path } of others) await context.uploads.remove(at, path)
        put(context.state, at, rules.multiple ? [...others, ...files] : files)
      },
    }),
    action(UPLOAD_CALLS.errored, 'command', [property, v.nullable(body()), isMultiple], {
      run: (context, at, told, multiple) => {
        rulesOf(context, at, multiple)
        const { upload } = messagesFor(context.language).details
        const messages = told === null ? [] : messagesIn(told)
        for (const message of messages.length > 0 ? messages : [upload.failed])
          context.effects.error(at, message)
      },
    }),
    action(UPLOAD_CALLS.remove, 'command', [property, v.string()], {
      run: async (context, at, path) => {
        rulesOf(context, at, false)
        const held = filesAt(context.state, at)
        put(
          context.state,
          at,
          held.filter((file) => file.path !== path),
        )
        await context.uploads.remove(at, path)
      },
    }),
  ]
}

/** Puts a refusal into the reader's words; it was thrown where nobody knew their language. */
const refuseIn =
  (reader: Reader) =>
  (error: unknown): never => {
    const detail = error instanceof AppError ? error.detailFor(reader) : null
    if (detail === null) throw error
    refuse(detail)
  }

const body = () => v.pipe(v.string(), v.maxLength(LONGEST_BODY))

/** One action, whose arguments have the types of their schemas. */
function action<const Args extends readonly v.GenericSchema<unknown, unknown>[]>(
  name: string,
  kind: 'query' | 'command',
  args: Args,
  {
    run,
  }: {
    run(
      context: Context,
      ...args: { -readonly [At in keyof Args]: v.InferOutput<Args[At]> }
    ): unknown
  },
): [string, Action] {
  return [name, { kind, args: v.strictTuple([...args]), run }]
}

const ownOf = (
  declared: { readonly [property: string]: UploadRules },
  at: string,
): UploadRules | undefined => (Object.hasOwn(declared, at) ? declared[at] : undefined)

/** The files that the state holds at a path. */
function filesAt(state: Readonly<JsonObject>, at: string): readonly UploadedFile[] {
  const found = v.safeParse(uploadedFiles, getPath(state, at.split('.')))
  return found.success ? found.output : []
}

function put(state: JsonObject, at: string, files: readonly UploadedFile[]): void {
  const [first = '', ...inside] = at.split('.')
  state[first] = withPath(state[first], inside, [...files])
}

const errorsSchema = v.object({
  message: v.optional(v.string()),
  errors: v.optional(v.record(v.string(), v.array(v.string()))),
})

/** The messages of a 422, whoever has answered with it: our own route, or a proxy (spec §5). */
function messagesIn(text: string): readonly string[] {
  let told: unknown
  try {
    told = JSON.parse(text)
  } catch {
    return []
  }
  const parsed = v.safeParse(errorsSchema, told)
  if (!parsed.success) return []
  const { errors = {}, message } = parsed.output
  const all = Object.values(errors).flat()
  return (all.length > 0 || message === undefined ? all : [message]).slice(0, MESSAGES)
}
