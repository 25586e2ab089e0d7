/** Conditions in groups as fields of a form, drawn by the server for pages without script. */

import { useContext, useId } from 'react'
import {
  BUILDER,
  type FilterOffer,
  type FormCondition,
  type FormGroup,
} from '../../protocol/filters.ts'
import { Icon } from '../parts/icon.tsx'
import { Shown } from '../parts/plain-text.tsx'
import { useMessages } from '../parts/use-messages.ts'
import { FormContext, useFormParts } from './form-context.ts'
import { DEEPEST } from './group-editor.tsx'

/** The builder; the last line of each group begins another condition. */
export function FormBuilder({ offers }: { offers: readonly FilterOffer[] }) {
  const { filters } = useMessages()
  const group = useContext(FormContext)?.groups[BUILDER]
  return (
    <div className="plainbuilder">
      <Group
        path={BUILDER}
        group={group ?? { join: 'and', of: [] }}
        {...{ offers, title: filters.builder, numbers: [] }}
      />
    </div>
  )
}

/** Conditions that related rows have to fulfil, or the button that begins them. */
export function FormWhere({ label, path }: { label: string; path: string }) {
  const { filters } = useMessages()
  const form = useContext(FormContext)
  const own = `${path}.where`
  const group = form?.groups[own]
  return group ? (
    <Group
      path={own}
      {...{ group, offers: form.offers[own] ?? [], title: filters.whereOf(label), numbers: [] }}
      isRemovable
    />
  ) : (
    <Step verb="group" path={own} within={label} label={filters.addWhere} />
  )
}

type GroupProps = {
  path: string
  group: FormGroup
  offers: readonly FilterOffer[]
  title: string
  /** Its number among the groups of each group around it; none for the outermost. */
  numbers: readonly number[]
  isRemovable?: boolean
}

function Group({ path, group, offers, title, numbers, isRemovable = false }: GroupProps) {
  const { filters } = useMessages()
  const at = useContext(FormContext)?.at
  const id = useId()
  const groups = group.of.filter((one) => 'of' in one)
  return (
    <fieldset className="group" {...focusAt(path, at)}>
      <legend>{title}</legend>
      <p className="join">
        <label htmlFor={id}>{filters.join}</label>
        <select id={id} className="in quiet" name={`filter.${path}.join`} defaultValue={group.join}>
          <option value="and">{filters.all}</option>
          <option value="or">{filters.some}</option>
        </select>
      </p>
      {group.of.map((one, index) => {
        const own = `${path}.${index + 1}`
        if (!('of' in one))
          return <Condition key={own} path={own} condition={one} offers={offers} />
        const inner = [...numbers, groups.indexOf(one) + 1]
        const named = { title: filters.group(inner.join('.')), numbers: inner }
        return <Group key={own} path={own} group={one} {...{ offers, ...named }} isRemovable />
      })}
      <p className="adds">
        <select
          className="in"
          name={`filter.${path}.${group.of.length + 1}.filter`}
          aria-label={`${filters.filter}, ${title}`}
          defaultValue=""
        >
          <option value="">{filters.choose}</option>
          {offers.map(({ key, label }) => (
            <option key={key} value={key}>
              {label}
            </option>
          ))}
        </select>
        <Step verb="more" path={path} within={title} label={filters.addCondition} />
        {numbers.length + 1 < DEEPEST && (
          <Step verb="group" path={path} within={title} label={filters.addGroup} />
        )}
        {isRemovable && (
          <Step verb="remove" path={path} within={title} label={filters.removeGroup} />
        )}
      </p>
    </fieldset>
  )
}

type ConditionProps = { path: string; condition: FormCondition; offers: readonly FilterOffer[] }

function Condition({ path, condition, offers }: ConditionProps) {
  const { filters } = useMessages()
  const at = useContext(FormContext)?.at
  const Filter = useFormParts()?.Filter
  const offer = offers.find(({ key }) => key === condition.filter)
  // Conditions are about what is on offer, or they would have been refused.
  if (!offer || !Filter) return null
  return (
    <div className="condition">
      <fieldset className={`filter ${offer.control.type}`} {...focusAt(path, at)}>
        <legend>
          <Shown text={offer.label} />
        </legend>
        <input type="hidden" name={`filter.${path}.filter`} value={offer.key} />
        <Filter offer={offer} value={condition.value ?? undefined} path={path} isAlone />
      </fieldset>
      <button
        type="submit"
        className="btn icon"
        name="filters"
        value={`remove:${path}`}
        aria-label={filters.remove(offer.label)}
      >
        <Icon name="close" />
      </button>
    </div>
  )
}

type StepProps = { verb: string; path: string; label: string; within: string }

/** Draws the page again; each group has the same buttons, so their names tell of which group they are. */
const Step = ({ verb, path, label, within }: StepProps) => (
  <button
    type="submit"
    className="plain"
    name="filters"
    value={`${verb}:${path}`}
    aria-label={`${label}, ${within}`}
  >
    {label}
  </button>
)

/** Where the person was before the page was drawn again: the browser scrolls there and focuses it. */
export const focusAt = (path: string, at: string | null | undefined) =>
  path === at ? ({ tabIndex: -1, autoFocus: true } as const) : {}
