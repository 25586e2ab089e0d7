/** Asks how rows are exported: the format, which columns, and what stands for related rows. */

import { type FormEvent, type ReactNode, useState } from 'react'
import { EXPORTED_COLUMNS, FILE_FORMATS, REFERENCES } from '../../protocol/export.ts'
import { useBulkWords } from '../bulk/use-bulk-words.ts'
import { Answers } from '../filters/yes-no-filter.tsx'
import { Modal } from '../parts/modal.tsx'
import { useMessages } from '../parts/use-messages.ts'
import { keepChoice, lastChoice } from './export-choice.ts'

type Props = {
  action: string
  /** Whether rows are selected; else all that match are exported. */
  isSome: boolean
  /** What the form sends besides the choice. */
  children: ReactNode
  onClose(): void
}

export function ExportDialog({ action, isSome, children, onClose }: Props) {
  const { exporting: words } = useBulkWords()
  const { failures } = useMessages()
  const [choice, setChoice] = useState(lastChoice)
  const submit = ({ nativeEvent }: FormEvent) => {
    keepChoice(choice)
    // The form must stay until it has been sent, which may first be asked about.
    setTimeout(() => nativeEvent.defaultPrevented || onClose())
  }
  const part = <Name extends keyof typeof choice>(
    name: Name,
    all: readonly (typeof choice)[Name][],
    labelOf: (one: (typeof choice)[Name]) => string,
  ) => (
    <div className="field">
      <span aria-hidden="true">{words[name]}</span>
      <Answers
        label={words[name]}
        name={name}
        answers={all.map((one) => [one, labelOf(one)] as const)}
        chosen={choice[name]}
        choose={(one) => one !== '' && setChoice({ ...choice, [name]: one })}
      />
    </div>
  )
  return (
    <Modal title={words.title} className="dialog exports" onClose={onClose}>
      <form method="post" action={action} data-exports="" onSubmit={submit}>
        {children}
        <div className="body">
          <p>{isSome ? words.selected : words.matching}</p>
          {part('format', FILE_FORMATS, (format) => format.toUpperCase())}
          {part('columns', EXPORTED_COLUMNS, (columns) => words.ofColumns[columns])}
          {part('references', REFERENCES, (references) => words.ofReferences[references])}
        </div>
        <div className="acts">
          <button type="button" className="btn" onClick={onClose}>
            {failures.cancel}
          </button>
          <button type="submit" className="btn main">
            {words.title}
          </button>
        </div>
      </form>
    </Modal>
  )
}
