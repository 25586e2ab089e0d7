/** Files on a record page: each with its picture, or its name, and its size. */

import { type FileView, pictureHref } from '../../protocol/record-view.ts'
import { Icon } from '../parts/icon.tsx'
import { Shown } from '../parts/plain-text.tsx'
import type { ShapeProps } from './shapes.ts'

export function FilesValue({ value: { files } }: ShapeProps<'files'>) {
  const [only, ...others] = files
  if (only && others.length === 0) return <FileFigure file={only} />
  return (
    <ul className="file-values">
      {files.map((file) => (
        <li key={file.href ?? file.name}>
          <FileFigure file={file} />
        </li>
      ))}
    </ul>
  )
}

const NEW_TAB = { target: '_blank', rel: 'noopener noreferrer' }

function FileFigure({ file }: { file: FileView }) {
  const { name, href, note, isPicture, isElsewhere } = file
  const opens = isPicture
    ? { ...NEW_TAB, 'data-picture': name }
    : isElsewhere
      ? NEW_TAB
      : { download: '' }
  return (
    <figure className="file-value">
      {isPicture && href !== undefined && (
        <a href={href} {...opens} tabIndex={-1} aria-hidden="true">
          <img src={pictureHref(href, 'medium')} alt={''} loading="lazy" />
        </a>
      )}
      <figcaption>
        {href === undefined ? (
          <span className={note === undefined ? undefined : 'warn'}>
            {note !== undefined && <Icon name="warning" />} <Shown text={name} />
          </span>
        ) : (
          <a className="link" href={href} {...opens}>
            <Shown text={name} />
          </a>
        )}{' '}
        {note !== undefined && <span className="hint">{note}</span>}
      </figcaption>
    </figure>
  )
}
