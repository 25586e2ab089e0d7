/** Names of stored values: as many pairs of fields as there are names, and room for more. */

import { type AriaAttributes, useState } from 'react'
import type { ValueName } from '../../protocol/corrections-view.ts'
import { Icon } from '../parts/icon.tsx'
import { say } from '../parts/say.ts'
import type { CorrectionsWords } from './corrections-words.ts'

type Props = {
  readonly names: readonly ValueName[]
  /** Most characters of a name. */
  readonly max: number
  readonly words: CorrectionsWords
  /** What describes a field, and says whether it is refused. */
  notesOf(isWrong: boolean): AriaAttributes
}

const NONE: ValueName = { stored: '', name: '', rows: null, wrong: null }

export function ValueNames({ names, max, words, notesOf }: Props) {
  const [further, setFurther] = useState(0)
  const room = Array.from({ length: further }, () => NONE)
  return (
    <span className="several">
      {[...names, ...room].map(({ stored, name, rows, wrong }, at) => (
        <span key={at} className="term value-name">
          <input
            name="stored"
            className="in"
            aria-label={say(words.stored, String(at + 1))}
            placeholder={words.value}
            {...notesOf(wrong === 'stored')}
            defaultValue={stored}
            maxLength={1000}
          />
          <input
            name="named"
            className="in"
            aria-label={say(words.named, String(at + 1))}
            placeholder={words.shownAs}
            defaultValue={name}
            maxLength={max}
            {...notesOf(wrong === 'named')}
          />
          <small>{rows}</small>
        </span>
      ))}
      <button
        type="button"
        className="plain needs-script"
        onClick={() => setFurther((count) => count + 1)}
      >
        <Icon name="add" />
        {words.another}
      </button>
    </span>
  )
}
