import type { Roles } from '#kernel/roles.ts'

export interface HelpArticleSource {
  readonly slug: string
  readonly title: string
  readonly summary: string
  readonly allow: Roles
  /** Text of the article. `## ` starts a heading, and `- ` or `1. ` a list item. All other lines are paragraphs. */
  readonly text: string
}
