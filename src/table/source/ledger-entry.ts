/** An entry of the ledger: who changed rows, when and how. */

export type PersonRef = { readonly id: string; readonly name: string }

/** How a change came: by a form, a cell of a list, the order of a list, and so on. */
export type Door = 'form' | 'cell' | 'order' | 'bulk' | 'import' | 'undo' | 'code'

export type EntryDraft = {
  /** A UUID v7, one a change, the same for each attempt. */
  readonly id: string
  /** When, in ms. */
  readonly at: number
  readonly by: PersonRef
  readonly behalf?: PersonRef
  readonly door: Door
  /** The entry that this one takes back. */
  readonly undoes?: string
}
