import { createRequire } from 'node:module'
import type sanitizeHtml from 'sanitize-html'
import { RICH_TAGS } from '#kernel/text/rich-text.ts'

// Loaded with the first formatted text: it is large.
let sanitize: typeof sanitizeHtml | undefined

/** Formatted text as the portal keeps it: its own tags without attributes, whatever came. */
export const cleanHtml = (html: string): string => {
  sanitize ??= createRequire(import.meta.url)('sanitize-html') as typeof sanitizeHtml
  return sanitize(html, { allowedTags: [...RICH_TAGS], allowedAttributes: {} })
}
