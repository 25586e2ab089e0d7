/** What a form carries along, so that it works before and without script. */

/** The parameters in force but those that the form itself decides. */
export function HiddenInputs(props: {
  params: readonly (readonly [name: string, value: string])[]
  except?: string
}) {
  return props.params
    .filter(([name]) => name !== props.except)
    .map(([name, value], place) => (
      <input key={`${place} ${name}`} type="hidden" name={name} value={value} />
    ))
}
