/** What follows a person into every browser: theme, rows, time zone and language. */

import { useId } from 'react'
import type { LookView } from '../../protocol/you-view.ts'
import { useYou } from './you-words.ts'
import { Submit, YouForm, YouSection } from './you-form.tsx'

export function LookForm({ theme, density, timeZone, language, zones, languages }: LookView) {
  const { words } = useYou()
  const browser = { value: '', label: words.asBrowser }
  return (
    <YouSection title={words.look}>
      <YouForm does="look" label={words.look}>
        <Choice
          label={words.theme}
          name="theme"
          chosen={theme}
          options={(['system', 'light', 'dark'] as const).map(named(words))}
        />
        <Choice
          label={words.density}
          name="density"
          chosen={density}
          options={(['compact', 'comfortable', 'relaxed'] as const).map(named(words))}
        />
        <Choice
          label={words.timeZone}
          name="timeZone"
          chosen={timeZone}
          options={[browser, ...zones.map((zone) => ({ value: zone, label: zone }))]}
        />
        {languages.length > 1 && (
          <Choice
            label={words.language}
            name="language"
            chosen={language}
            options={[browser, ...languages.map(({ tag, label }) => ({ value: tag, label }))]}
          />
        )}
        <p className="hint">{words.lookHint}</p>
        <Submit>{words.save}</Submit>
      </YouForm>
    </YouSection>
  )
}

type Option = { readonly value: string; readonly label: string }

const named =
  <Name extends string>(words: { readonly [name in Name]: string }) =>
  (value: Name): Option => ({ value, label: words[value] })

type ChoiceProps = { label: string; name: string; chosen: string; options: readonly Option[] }

function Choice({ label, name, chosen, options }: ChoiceProps) {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <select id={id} name={name} className="in" defaultValue={chosen}>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </div>
  )
}
