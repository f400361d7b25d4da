export interface CompletionCheckSection {
  readonly title: string
  readonly items: readonly { readonly text: string; readonly detail?: string; readonly at: string }[]
}

/** A type's additions to the completion check of its form: counts, and items to check. */
export interface TypeCompletionCheck {
  readonly sums: readonly string[]
  readonly looks: readonly CompletionCheckSection[]
  /** Texts that summarise the type's own inputs, by field. They are shown with the question about copied answers. */
  readonly told?: Readonly<Record<string, string>>
}
