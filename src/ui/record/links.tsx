/** The rows that a row is linked to, over a joining table: their names, each of which can be taken off, and a search. */

import { type KeyboardEvent, type RefObject, useId, useRef, useState } from 'react'
import type { LinksView } from '../../protocol/form-sections.ts'
import type { FormComponent, FormView } from '../../protocol/form-view.ts'
import { useComponent } from '../../react/use-component.ts'
import { FieldNotes, notesOf } from '../parts/field.tsx'
import { Icon } from '../parts/icon.tsx'
import { Shown } from '../parts/plain-text.tsx'
import { say } from '../parts/say.ts'
import { addChip, type Chip, chipsIn, NO_LINKS, removeChip } from './section-edits.ts'
import type { FormState } from './use-form.ts'

type Words = FormView['words']

type Props = { component: string; view: LinksView; form: FormState }

export function LinksField({ component, view, form }: Props) {
  const { sections } = form
  const { words } = form.view
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const edits = sections.edits.links[view.name]
  const chips = chipsIn(view, edits ?? NO_LINKS)
  const problems = Object.values(sections.problems[view.name]?.['']?.errors ?? {}).flat()
  const error = problems.join(' ') || undefined
  const stored = new Set(view.chips.map(({ text }) => text))
  const nameOf = namesOf(chips)
  const takeOff = (chip: Chip) => {
    sections.changeLinks(view.name, (now) => removeChip(view, now, chip.text))
    // The button goes, and would take the focus with it.
    input.current?.focus()
  }
  return (
    <div className={edits ? 'form-field edited' : 'form-field'}>
      <label id={`${id}-label`} htmlFor={id}>
        <Shown text={view.label} />
      </label>
      <div>
        <div className="linked">
          <ul aria-labelledby={`${id}-label`}>
            {chips.map((chip) => (
              <li key={chip.text} className={stored.has(chip.text) ? 'token' : 'token new'}>
                <Shown text={nameOf(chip)} />
                {(view.may.remove || !stored.has(chip.text)) && (
                  <button
                    type="button"
                    className="needs-script"
                    aria-label={say(words['takeOff'], nameOf(chip))}
                    onClick={() => takeOff(chip)}
                  >
                    <Icon name="close" />
                  </button>
                )}
              </li>
            ))}
          </ul>
          {view.tooMany === null && view.may.add && (
            <LinkSearch
              {...{ component, view, words, input, id, describedBy: notesOf(id, { error }) }}
              isInvalid={error !== undefined}
              add={(chip) => sections.changeLinks(view.name, (now) => addChip(view, now, chip))}
            />
          )}
        </div>
        <SectionList view={view} words={words} isAlways={view.tooMany !== null} />
        <FieldNotes id={id} hint={view.tooMany ?? undefined} error={error} />
      </div>
    </div>
  )
}

/** What rows are called; those with the same label are told apart by their keys. */
const namesOf =
  (all: readonly Chip[]) =>
  ({ text, label }: Chip): string =>
    label === null || all.some((one) => one.label === label && one.text !== text)
      ? [label, text].filter(Boolean).join(' · ')
      : label

/** The list of a section's rows, for whoever has no script, or for rows that are too many. */
export function SectionList({
  view: { href, label },
  words,
  isAlways,
}: {
  view: { href: string | null; label: string }
  words: Words
  isAlways: boolean
}) {
  if (href === null) return null
  const link = (
    <a className="link" href={href}>
      {say(words['openList'], label)}
    </a>
  )
  return isAlways ? (
    link
  ) : (
    <noscript>
      <p className="hint">
        {words['noScript']} {link}
      </p>
    </noscript>
  )
}

type Offered = { text: string; label: string }

/** The one row that somebody means who types this: it is called so, or it is the only one that is found. */
function meantBy(found: readonly Offered[], typed: string): Offered | undefined {
  const isCalledSo = ({ label }: Offered) => label.toLowerCase() === typed.trim().toLowerCase()
  const [only, ...others] = found.some(isCalledSo) ? found.filter(isCalledSo) : found
  return others.length === 0 ? only : undefined
}

type SearchProps = Pick<Props, 'component' | 'view'> & {
  words: Words
  input: RefObject<HTMLInputElement | null>
  id: string
  describedBy: string | undefined
  isInvalid: boolean
  add(chip: Chip): void
}

function LinkSearch({
  component,
  view,
  words,
  input,
  id,
  describedBy,
  isInvalid,
  add,
}: SearchProps) {
  const { call } = useComponent<FormComponent>(component)
  const [offered, setOffered] = useState<readonly Offered[]>([])
  const [typed, setTyped] = useState('')
  /** What is typed now, and whether it was ended by Enter: an answer may come after that. */
  const latest = useRef({ text: '', isEnded: false, answered: '' })
  const nameOf = namesOf(offered)
  const take = (chip: Chip) => {
    latest.current = { ...latest.current, text: '', isEnded: false }
    setTyped('')
    add(chip)
  }
  const takeMeant = (found: readonly Offered[], text: string) => {
    const meant = meantBy(found, text)
    if (meant) take(meant)
  }
  const ask = (text: string) =>
    void call.suggest(`${view.name}/${view.field.name}`, text, null).then(
      (found) => {
        if (latest.current.text !== text) return
        const { isEnded } = latest.current
        latest.current = { text, isEnded: false, answered: text }
        setOffered(found)
        if (isEnded) takeMeant(found, text)
      },
      // Without an answer, nothing is offered.
      () => undefined,
    )
  const write = (text: string) => {
    const chosen = offered.find((one) => nameOf(one) === text)
    if (chosen) return take(chosen)
    latest.current = { ...latest.current, text, isEnded: false }
    setTyped(text)
    ask(text)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || typed === '') return
    // It would save the form.
    event.preventDefault()
    if (latest.current.answered === typed) takeMeant(offered, typed)
    else latest.current = { ...latest.current, isEnded: true }
  }
  return (
    <>
      <input
        ref={input}
        id={id}
        className="needs-script"
        type="text"
        role="combobox"
        aria-expanded="false"
        aria-controls={`${id}-offered`}
        aria-describedby={describedBy}
        aria-invalid={isInvalid ? true : undefined}
        list={`${id}-offered`}
        autoComplete="off"
        placeholder={say(words['addOne'], view.label)}
        value={typed}
        onFocus={() => ask(typed)}
        onKeyDown={onKeyDown}
        onChange={({ currentTarget: { value } }) => write(value)}
      />
      <datalist id={`${id}-offered`}>
        {offered.map((one) => (
          <option key={one.text} value={nameOf(one)} />
        ))}
      </datalist>
    </>
  )
}
