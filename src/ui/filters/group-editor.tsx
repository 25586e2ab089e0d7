/** Conditions joined by “and” or “or”, in groups: a dialog, loaded on first use, applied as a whole. */

import { useEffect, useId, useState } from 'react'
import {
  BUILDER,
  type FilterCondition,
  type FilterGroup,
  type FilterOffer,
  type FilterValue,
} from '../../protocol/filters.ts'
import { Icon } from '../parts/icon.tsx'
import { Modal } from '../parts/modal.tsx'
import { useMessages } from '../parts/use-messages.ts'
import type { AnyValue, Ask } from './control.ts'
import { FilterFields } from './filter-fields.tsx'
import type { GroupQuestion } from './open-group.ts'

/** A condition while it is made: it may have no value yet. */
type DraftCondition = { id: number; filter: string; value: FilterValue | undefined }
type DraftGroup = { id: number; join: 'and' | 'or'; of: (DraftCondition | DraftGroup)[] }

type GroupDialogProps = GroupQuestion & { onClose(): void }

/** How deep groups may stand in each other. */
export const DEEPEST = 3

let serial = 0
const next = () => ++serial

export function GroupDialog({ title, offers, ask, group, apply, onClose }: GroupDialogProps) {
  const { failures } = useMessages()
  const [known, setKnown] = useState<readonly FilterOffer[] | null>(null)
  const [hasFailed, setFailed] = useState(false)
  const [load] = useState(() => offers)
  useEffect(() => {
    load().then(setKnown, () => setFailed(true))
  }, [load])
  return (
    <Modal title={title} className="dialog wide builder" onClose={onClose}>
      {known ? (
        <Editor {...{ ask, group, apply, onClose }} offers={known} />
      ) : (
        <p className="body" role="status">
          {hasFailed && failures.serverTitle}
        </p>
      )}
    </Modal>
  )
}

type EditorProps = Omit<GroupDialogProps, 'title' | 'offers'> & { offers: readonly FilterOffer[] }

function Editor({ offers, ask: all, group, apply, onClose }: EditorProps) {
  const { filters, shell } = useMessages()
  // Counts are those of the rows that the filters besides the group leave.
  const ask = all && { ...all, facets: inGroup(all) }
  const [draft, setDraft] = useState<DraftGroup>(() =>
    group ? opened(group) : { id: next(), join: firstJoin(ask), of: [blank(offers)] },
  )
  const finished = finish(draft)
  const isUnfinished = countOf(draft) > (finished ? countOf(opened(finished)) : 0)
  return (
    <>
      <div className="body">
        <GroupFields
          {...{ offers, ask, path: [] }}
          group={draft}
          change={(changed) => setDraft(changed ?? { ...draft, of: [] })}
        />
      </div>
      <div className="acts">
        <span className="hint" role="status">
          {isUnfinished && filters.unfinished}
        </span>
        <button type="button" className="btn" onClick={onClose}>
          {shell.close}
        </button>
        <button
          type="button"
          className="btn main"
          onClick={() => {
            apply(finished)
            onClose()
          }}
        >
          {filters.apply}
        </button>
      </div>
    </>
  )
}

type GroupFieldsProps = {
  offers: readonly FilterOffer[]
  ask: Ask | undefined
  group: DraftGroup
  /** Its number among the groups of each group around it; none for the outermost. */
  path: readonly number[]
  /** `null` removes the group. */
  change(group: DraftGroup | null): void
}

function GroupFields({ offers, ask, group, path, change }: GroupFieldsProps) {
  const { filters } = useMessages()
  const id = useId()
  const ownName = path.length > 0 && filters.group(path.join('.'))
  const inner = group.of.filter((one) => 'of' in one)
  const put = (of: DraftGroup['of']) => change({ ...group, of })
  const replace = (old: DraftCondition | DraftGroup, by: DraftCondition | DraftGroup | null) =>
    put(group.of.flatMap((one) => (one.id === old.id ? (by ?? []) : one)))
  return (
    <div className="group" role="group" aria-labelledby={id}>
      <div className="join">
        <label id={id} htmlFor={`${id}-join`}>
          {ownName && <b>{ownName}</b>} {filters.join}
        </label>
        <select
          id={`${id}-join`}
          className="in quiet"
          value={group.join}
          onChange={({ target }) =>
            change({ ...group, join: target.value === 'or' ? 'or' : 'and' })
          }
        >
          <option value="and">{filters.all}</option>
          <option value="or">{filters.some}</option>
        </select>
      </div>
      {group.of.map((one) =>
        'of' in one ? (
          <GroupFields
            key={one.id}
            {...{ offers, ask }}
            path={[...path, inner.indexOf(one) + 1]}
            group={one}
            change={(changed) => replace(one, changed)}
          />
        ) : (
          <ConditionFields
            key={one.id}
            {...{ offers, ask, within: ownName }}
            condition={one}
            change={(changed) => replace(one, changed)}
          />
        ),
      )}
      <p className="adds">
        <GroupButton
          {...{ label: filters.addCondition, within: ownName }}
          press={() => put([...group.of, blank(offers)])}
        />
        {path.length + 1 < DEEPEST && (
          <GroupButton
            {...{ label: filters.addGroup, within: ownName }}
            press={() =>
              put([...group.of, { id: next(), join: other(group.join), of: twoBlank(offers) }])
            }
          />
        )}
        {path.length > 0 && (
          <GroupButton
            {...{ label: filters.removeGroup, within: ownName }}
            press={() => change(null)}
          />
        )}
      </p>
    </div>
  )
}

/** The group in which a button stands; false for the outermost. */
type Within = { within: string | false }

/** Each group has the same buttons, so their names tell of which group they are. */
const nameIn = (within: Within['within'], label: string) => (within ? `${label}, ${within}` : label)

const GroupButton = (props: Within & { label: string; press(): void }) => (
  <button
    type="button"
    className="plain"
    aria-label={nameIn(props.within, props.label)}
    onClick={props.press}
  >
    {props.label}
  </button>
)

type ConditionProps = Within & {
  offers: readonly FilterOffer[]
  ask: Ask | undefined
  condition: DraftCondition
  change(condition: DraftCondition | null): void
}

function ConditionFields({ offers, ask, within, condition, change }: ConditionProps) {
  const { filters } = useMessages()
  const offer = offers.find(({ key }) => key === condition.filter)
  const set = (value: AnyValue | null) =>
    change({ ...condition, value: value === null || 'join' in value ? undefined : value })
  return (
    <div className="condition">
      <select
        className="in"
        aria-label={filters.filter}
        value={condition.filter}
        onChange={({ target }) => change({ ...condition, filter: target.value, value: undefined })}
      >
        {offers.map(({ key, label }) => (
          <option key={key} value={key}>
            {label}
          </option>
        ))}
      </select>
      {offer && (
        <FilterFields
          key={offer.key}
          offer={offer}
          value={condition.value}
          change={set}
          ask={ask}
          param={() => undefined}
        />
      )}
      <button
        type="button"
        className="btn icon"
        aria-label={nameIn(within, filters.remove(offer?.label ?? condition.filter))}
        onClick={() => change(null)}
      >
        <Icon name="close" />
      </button>
    </div>
  )
}

const inGroup =
  ({ facets }: Ask): Ask['facets'] =>
  (key, signal) =>
    facets(key, signal, BUILDER)

/** All filters of the panel hold anyway; of conditions on related rows, nothing else says so. */
const firstJoin = (ask: Ask | undefined): DraftGroup['join'] => (ask ? 'or' : 'and')

/** A group in a group that joined as that one does would say nothing new. */
const other = (join: DraftGroup['join']): DraftGroup['join'] => (join === 'or' ? 'and' : 'or')

const twoBlank = (offers: readonly FilterOffer[]) => [blank(offers), blank(offers)]

const blank = (offers: readonly FilterOffer[]): DraftCondition => ({
  id: next(),
  filter: offers[0]?.key ?? '',
  value: undefined,
})

const opened = ({ join, of }: FilterGroup): DraftGroup => ({
  id: next(),
  join,
  of: of.map((one) => ('of' in one ? opened(one) : { id: next(), ...one })),
})

const countOf = (group: DraftGroup): number =>
  group.of.reduce((sum, one) => sum + ('of' in one ? countOf(one) : 1), 0)

/** The group without conditions that have no value, and without empty groups; `null` if none is left. */
function finish({ join, of }: DraftGroup): FilterGroup | null {
  const kept = of.flatMap((one): (FilterCondition | FilterGroup)[] => {
    if ('of' in one) {
      const group = finish(one)
      return group ? [group] : []
    }
    return one.value === undefined ? [] : [{ filter: one.filter, value: one.value }]
  })
  return kept.length === 0 ? null : { join, of: kept }
}
