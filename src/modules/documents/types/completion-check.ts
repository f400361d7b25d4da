export interface CompletionCheckSection {
  readonly title: string
  readonly items: readonly { readonly text: string; readonly detail?: string; readonly at: string }[]
}

/** Content of a type's completion check besides its form: counts, and items to check. */
export interface TypeCompletionCheck {
  readonly sums: readonly string[]
  readonly looks: readonly CompletionCheckSection[]
  /** Counts in the type's own inputs, by field, shown with the question about copied answers. */
  readonly told?: Readonly<Record<string, string>>
}
