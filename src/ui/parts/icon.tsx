/** The icons: strokes on a grid of 16, the marks of a status on a grid of 10. */

import type { Tone } from '../../protocol/table-view.ts'

// Filled areas are drawn as strokes side by side.
const ICONS = {
  menu: 'M2.5 4.5h11M2.5 8h11M2.5 11.5h11',
  search: 'M11.5 7a4.5 4.5 0 1 1-9 0 4.5 4.5 0 0 1 9 0zM10.5 10.5l3 3',
  display: 'M2 3.5h12v9H2zM6.5 3.5v9M2 6.5h12',
  filters: 'M2 4.5h12M4.5 8h7M6.5 11.5h3',
  calendar: 'M2.5 3.5h11v10h-11zM2.5 6.5h11M5.5 2v3M10.5 2v3',
  open: 'm4.5 6.5 3.5 3.5 3.5-3.5',
  up: 'M8 13V3M4.5 6.5 8 3l3.5 3.5',
  down: 'M8 3v10M4.5 9.5 8 13l3.5-3.5',
  first: 'M11.5 3.5 7 8l4.5 4.5M4 3.5v9',
  previous: 'M10 3.5 5.5 8l4.5 4.5',
  next: 'M6 3.5 10.5 8 6 12.5',
  last: 'M4.5 3.5 9 8l-4.5 4.5M12 3.5v9',
  picture: 'M2 3h12v10H2zM2 11l3.5-4 3 3.3 2-2L14 11M10.5 5.9v.1',
  close: 'm4 4 8 8M12 4l-8 8',
  warning: 'M8 2.5 14.3 13.5H1.7zM8 6.5v3.2M8 11.6v.1',
  about: 'M13.5 8a5.5 5.5 0 1 1-11 0 5.5 5.5 0 0 1 11 0zM8 7.3v3.4M8 5.2v.1',
  add: 'M8 3v10M3 8h10',
  copy: 'M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3',
  link: 'M6.5 9.5l3-3M7.5 4.5 9 3a2.8 2.8 0 0 1 4 4l-1.5 1.5M8.5 11.5 7 13a2.8 2.8 0 0 1-4-4l1.5-1.5',
  done: 'm3 8.5 3.5 3.5L13 4.5',
  undo: 'M5.5 3 2.5 6l3 3M2.5 6h7a3.5 3.5 0 0 1 0 7H6',
  lock: 'M4 7.5h8v5.5H4zM5.5 7.5V5.5a2.5 2.5 0 0 1 5 0v2',
  rail: 'M2 3.5h12v9H2zM6 3.5v9',
  person: 'M8 8a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM3.5 13c.5-2.5 2.3-3.5 4.5-3.5s4 1 4.5 3.5',
  more: 'M4 8a.5.5 0 1 1-1 0 .5.5 0 0 1 1 0zM8.5 8a.5.5 0 1 1-1 0 .5.5 0 0 1 1 0zM13 8a.5.5 0 1 1-1 0 .5.5 0 0 1 1 0z',
  reorder: 'M5 13V3M2.5 5.5 5 3l2.5 2.5M11 3v10M8.5 10.5 11 13l2.5-2.5',
  deleted: 'M2.5 4.5h11M6 4.5V2.8h4v1.7M4 4.5l.7 8.7h6.6l.7-8.7',
  pin: 'M6 2.5h4L9.5 7l2.5 2.5H4L6.5 7zM8 9.5V14',
  export: 'M8 2.5v7M5 6.8 8 9.7l3-2.9M2.5 11v2.5h11V11',
  leave: 'M6.5 3H3v10h3.5M7 8h6.5M11 5.5 13.5 8 11 10.5',
  light:
    'M10.75 8a2.75 2.75 0 1 1-5.5 0 2.75 2.75 0 0 1 5.5 0zM8 1.5v1.5M8 13v1.5M1.5 8H3M13 8h1.5M3.4 3.4l1.1 1.1M11.5 11.5l1.1 1.1M12.6 3.4l-1.1 1.1M4.5 11.5l-1.1 1.1',
  dark: 'M13 9.7A5.5 5.5 0 0 1 6.3 3a5.5 5.5 0 1 0 6.7 6.7z',
  system:
    'M13.5 8a5.5 5.5 0 1 1-11 0 5.5 5.5 0 0 1 11 0zM8 2.5v11M9.4 2.9v10.2M10.8 3.6v8.8M12.2 5v6',
}

export type IconName = keyof typeof ICONS

/** A decorative icon beside words. `flip`: mirrored in right-to-left text. */
export const Icon = ({ name, flip }: { name: IconName; flip?: boolean }) => (
  <svg className={flip ? 'i flip' : 'i'} viewBox="0 0 16 16" aria-hidden="true">
    <path d={ICONS[name]} />
  </svg>
)

const MARKS: Record<Tone, string> = {
  new: 'M8.6 5a3.6 3.6 0 1 1-7.2 0 3.6 3.6 0 0 1 7.2 0z',
  warn: 'M8.6 5a3.6 3.6 0 1 1-7.2 0 3.6 3.6 0 0 1 7.2 0zM5.7 1.6v6.8M7 2.4v5.2M8 4v2',
  ok: 'm1.5 5.3 2.3 2.3 4.7-5',
  idle: 'M1.8 4.7h6.4M1.8 5.3h6.4',
  bad: 'M5 1.2 8.8 5 5 8.8 1.2 5z',
}

/** The mark of a status, which tells statuses apart without colour. */
export const StatusMark = ({ tone }: { tone: Tone }) => (
  <svg className="i" viewBox="0 0 10 10" aria-hidden="true">
    <path d={MARKS[tone]} />
  </svg>
)

/** The product's logo. */
export const Mark = () => (
  <svg className="mark" viewBox="0 0 20 20" aria-hidden="true">
    <path d="M2 4h16M2 16h16M2 10h9" stroke="currentColor" strokeWidth="2" fill="none" />
    <circle className="dot" cx="15.5" cy="10" r="2.5" />
  </svg>
)
