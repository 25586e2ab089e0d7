/** What a component's code returns, as JSON; what JSON cannot say is a mistake with a name. */

/** `source` names where the value comes from, such as `its action [add]`. */
export function toJsonText(component: string, source: string, value: unknown): string {
  try {
    return JSON.stringify(value) ?? 'null'
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new TypeError(
      `Component [${component}]: ${source} returned something that JSON cannot express (${reason}). Return strings, numbers, booleans, null, lists and plain objects; make a bigint a string.`,
      { cause },
    )
  }
}
