/** Something in a document that whoever completes it looks at once more. */
export interface Look {
  readonly title: string
  readonly items: readonly { readonly text: string; readonly detail?: string /** Its field. */; readonly at: string }[]
}

/** What a kind has on its check page beside what its form says: how much of what there is, and what is to be meant. */
export interface Checked {
  readonly sums: readonly string[]
  readonly looks: readonly Look[]
  /** How much there is of what its own inputs keep, by field: what came with a copy is asked about with it. */
  readonly told?: Readonly<Record<string, string>>
}
