import type { Roles } from '#kernel/roles.ts'

/** A help article. */
export interface HelpArticleSource {
  readonly slug: string
  readonly title: string
  readonly summary: string
  readonly allow: Roles
  /** `## ` begins a heading, `- ` and `1. ` a list item; everything else is a paragraph. */
  readonly text: string
}
