/** Icons of bulk changes, which load with them. */

const ICONS = {
  edit: 'm3 13 .6-2.8L11 2.8 13.2 5l-7.4 7.4z',
  delete: 'M2.5 4.5h11M6 4.5v-2h4v2M4 4.5l.6 9h6.8l.6-9',
  restore: 'M5.5 3 2.5 6l3 3M2.5 6h7a3.5 3.5 0 0 1 0 7H6',
  again: 'M12.8 9.5A5 5 0 1 1 12 5M12.5 2v3.2H9.3',
  own: 'M13.5 8a5.5 5.5 0 1 1-11 0 5.5 5.5 0 0 1 11 0zM5.5 8.2l1.8 1.8 3.3-3.7',
} as const

export type BulkIconName = keyof typeof ICONS

export const BulkIcon = ({ name }: { name: BulkIconName }) => (
  <svg className="i" viewBox="0 0 16 16" aria-hidden="true">
    <path d={ICONS[name]} />
  </svg>
)
