/** The hidden inputs that let a form work without script. */

/** The current parameters, except the one that the form sets. */
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
