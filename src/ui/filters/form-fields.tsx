/** The fields of filters on a page without script, drawn by the server alone. */

import { useContext, useId } from 'react'
import type { PageMessages } from '../../messages/messages.ts'
import {
  DATE_PRESETS,
  type FilterChoice,
  type FilterControl,
  type FoundChoices,
  NULL_TEXT,
} from '../../protocol/filters.ts'
import { Shown } from '../parts/plain-text.tsx'
import { useMessages } from '../parts/use-messages.ts'
import type { ControlProps } from './control.ts'
import { presetIn } from './date-range.ts'
import { Control } from './filter-fields.tsx'
import { FormContext, type FormFilterProps } from './form-context.ts'
import { focusAt, FormWhere } from './form-groups.tsx'
import { controlFor, modeOf, modesOf, valuesOf } from './modes.ts'
import { ListField } from './text-filter.tsx'

/** Which fields count follows from the test; the style sheet shows only those. */
export function FormFilter({ offer, value, path, isAlone = false }: FormFilterProps) {
  const { filters } = useMessages()
  const control = controlFor(offer, value)
  const param = (part: string) => `filter.${path}.${part}`
  const mode = modeOf(offer, value)
  const modes = modesOf(offer, value)
  const isList = mode === 'in' || mode === 'notIn'
  const isEmptiness = mode === 'empty' || mode === 'filled'
  const takesList = control.type === 'number' || control.type === 'text'
  // Fields of the usual test are there for whoever chooses it.
  const shown = isEmptiness || (takesList && isList) ? (modes[0] ?? mode) : mode
  const isDrawn = !isAlone && shown === mode
  const common = { offer, param, change: () => undefined, ask: undefined }
  return (
    <>
      {modes.length > 1 && (
        <select
          className="in mode"
          name={param('mode')}
          aria-label={filters.test(offer.label)}
          defaultValue={mode}
        >
          {modes.map((one) => (
            <option key={one} value={one}>
              {filters.modes[one]}
            </option>
          ))}
        </select>
      )}
      {!isDrawn && !isSearched(control) && (
        <Control {...common} value={shown === mode ? value : undefined} mode={shown} />
      )}
      {takesList && (isAlone || !isList) && (
        <ListField
          {...common}
          control={control}
          value={isList ? value : undefined}
          mode="in"
          modeLabel={filters.modes[isList ? mode : 'in']}
        />
      )}
      {control.type === 'date' && <Presets value={value} name={param('preset')} />}
      {isSearched(control) && <Search {...{ offer, value, path, isAlone }} />}
      {control.type === 'related' && <FormWhere label={control.label} path={path} />}
    </>
  )
}

/** Whether no page lists the values. */
const isSearched = (control: FilterControl): boolean =>
  control.type === 'relation' || (control.type === 'choice' && !control.choices)

function Presets({ value, name }: { value: ControlProps['value']; name: string }) {
  const { filters } = useMessages()
  return (
    <select
      className="in preset"
      name={name}
      aria-label={filters.presetsTitle}
      defaultValue={presetIn(value) ?? ''}
    >
      <option value="">{filters.presetsTitle}</option>
      {DATE_PRESETS.map((preset) => (
        <option key={preset} value={preset}>
          {filters.presets[preset]}
        </option>
      ))}
    </select>
  )
}

/** A text to look for, and boxes to tick: for what is chosen, and for what was found. */
function Search({ offer, value, path, isAlone }: FormFilterProps) {
  const { filters } = useMessages()
  const form = useContext(FormContext)
  const { chosen = [], found } = form?.choices[path] ?? {}
  const text = form?.finds[path] ?? ''
  const isListed = ({ value: one }: FilterChoice) => valuesOf(value).includes(one)
  const fresh = found?.choices.filter((choice) => !isListed(choice)) ?? []
  // The live control of a choice shows those that are chosen.
  const listed = offer.control.type === 'choice' && !isAlone ? [] : chosen
  const param = (part: string) => `filter.${path}.${part}`
  const id = useId()
  return (
    <div className="lookup" {...focusAt(path, form?.at)}>
      {listed.length + fresh.length > 0 && (
        <div className="opts">
          {[...listed, ...fresh].map((choice) => (
            <Box
              key={String(choice.value)}
              name={param('in')}
              choice={choice}
              isOn={isListed(choice)}
            />
          ))}
        </div>
      )}
      <div className="lookfor">
        <input
          className="in"
          type="search"
          autoComplete="off"
          name={param('find')}
          aria-label={filters.find(offer.label)}
          aria-describedby={id}
          placeholder={filters.findValue}
          defaultValue={text}
        />
        <button
          type="submit"
          className="btn line"
          name="filters"
          value={`find:${path}`}
          aria-label={`${filters.search} ${offer.label}`}
        >
          {filters.search}
        </button>
      </div>
      {found !== undefined && <input type="hidden" name={param('found')} value={text} />}
      <p className={found === null ? 'err' : 'hint'} id={id}>
        {found !== undefined && noteOf(found, fresh.length, filters)}
      </p>
    </div>
  )
}

function noteOf(
  found: FoundChoices | null,
  fresh: number,
  words: PageMessages['filters'],
): string | false {
  if (found === null) return words.notFound
  if (found.choices.length === 0) return words.nothing
  return fresh === 0 ? words.nothingMore : found.hasMore && words.more
}

function Box({ name, choice, isOn }: { name: string; choice: FilterChoice; isOn: boolean }) {
  const { cell } = useMessages()
  return (
    <label>
      <input type="checkbox" name={name} value={choice.value ?? NULL_TEXT} defaultChecked={isOn} />
      <span className="name">
        {choice.label === '' ? cell.empty : <Shown text={choice.label} />}
      </span>
    </label>
  )
}
