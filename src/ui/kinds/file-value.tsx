/** A file on a record page: its picture, or its name, and its size. */

import { pictureHref } from '../../protocol/record-view.ts'
import { Shown } from '../parts/plain-text.tsx'
import type { ShapeProps } from './shapes.ts'

export function FileValue({ value: { name, href, size, isPicture } }: ShapeProps<'file'>) {
  return (
    <figure className="file-value">
      {isPicture && (
        <a
          href={href}
          target="_blank"
          rel="noreferrer"
          tabIndex={-1}
          aria-hidden="true"
          data-picture={name}
        >
          <img src={pictureHref(href, 'medium')} alt={''} />
        </a>
      )}
      <figcaption>
        <a
          className="link"
          href={href}
          {...(isPicture
            ? { target: '_blank', rel: 'noreferrer', 'data-picture': name }
            : { download: '' })}
        >
          <Shown text={name} />
        </a>{' '}
        <span className="hint">{size}</span>
      </figcaption>
    </figure>
  )
}
