/** A file in a field: its picture or a sign, its name, what else is known of it, and what can be done. */

import type { ReactNode } from 'react'
import type { StoredFile } from '../../protocol/form-view.ts'
import { Icon } from '../parts/icon.tsx'
import { Shown } from '../parts/plain-text.tsx'
import { say } from '../parts/say.ts'

type FileRowProps = {
  sign: ReactNode
  name: ReactNode
  /** What else is known of it. */
  about?: ReactNode
  /** What can be done. */
  children?: ReactNode
}

export const FileRow = ({ sign, name, about, children }: FileRowProps) => (
  <div className="file">
    <span className="file-sign">{sign}</span>
    <div className="file-text">
      <p>{name}</p>
      {about}
    </div>
    {children}
  </div>
)

/** The sign of a file that has no picture. */
export const FileSign = () => (
  <svg className="i" viewBox="0 0 16 16" aria-hidden="true">
    <path d="M3.5 2h5.5l3.5 3.5v8.5h-9zM9 2v3.5h3.5" />
  </svg>
)

type StoredProps = {
  stored: StoredFile
  words: { [name: string]: string }
  /** Absent where there must be a file. */
  remove: (() => void) | undefined
}

export function StoredFileRow({ stored: { name, href, isPicture }, words, remove }: StoredProps) {
  const link = href !== undefined && (
    <a className="link" href={href} target="_blank" rel="noreferrer">
      <Shown text={name} />
    </a>
  )
  const sign = isPicture && href !== undefined ? <img src={href} alt={''} /> : <FileSign />
  return (
    <FileRow sign={sign} name={link || <Shown text={name} />}>
      {remove && (
        <button
          type="button"
          className="btn icon needs-script"
          aria-label={say(words['remove'], name)}
          onClick={remove}
        >
          <Icon name="close" />
        </button>
      )}
    </FileRow>
  )
}
