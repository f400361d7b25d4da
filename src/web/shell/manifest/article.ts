import type { Roles } from '#kernel/roles.ts'

/** An article of the help. */
export interface Article {
  readonly slug: string
  readonly title: string
  readonly summary: string
  readonly allow: Roles
  /** `## ` begins a heading, `- ` and `1. ` an item of a list; the rest are paragraphs. */
  readonly text: string
}
