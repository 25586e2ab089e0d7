/** Names of stored values: as many pairs of fields as there are names, and room for more. */

import { useState } from 'react'
import type { ValueName } from '../../protocol/corrections-view.ts'
import { Icon } from '../parts/icon.tsx'
import { say } from '../parts/say.ts'
import type { CorrectionsWords } from './corrections-words.ts'

type Props = {
  readonly names: readonly ValueName[]
  /** Most characters of a name. */
  readonly max: number
  readonly words: CorrectionsWords
  readonly describedBy: string
}

export function ValueNames({ names, max, words, describedBy }: Props) {
  const [further, setFurther] = useState(0)
  const room = Array.from({ length: further }, () => ({ stored: '', name: '', rows: null }))
  return (
    <span className="several">
      {[...names, ...room].map(({ stored, name, rows }, at) => (
        <span key={at} className="term value-name">
          <input
            name="stored"
            className="in"
            aria-label={say(words.stored, String(at + 1))}
            placeholder={words.value}
            aria-describedby={describedBy}
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
          />
          {rows !== null && <small>{rows}</small>}
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
