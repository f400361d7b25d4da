import type { HtmlNode } from '#kernel/text/html.ts'
import { canonicalTag, isRichTextTag } from '#kernel/text/runs.ts'
import { parseHtml } from '../parse-html.ts'

/** A node of rich text for templates: plain text, or an allowed element with its children. */
export type RichTextNode = string | { readonly tag: string; readonly children: readonly RichTextNode[] }

/** Maximum depth. It is greater than in any real text, and limits the template's recursion. */
const DEEPEST = 24

function convert(nodes: readonly HtmlNode[], depth: number): RichTextNode[] {
  return nodes.flatMap((n): RichTextNode[] => {
    if (typeof n === 'string') return [n.replace(/\s+/g, ' ')]
    const children = depth < DEEPEST ? convert(n.children, depth + 1) : []
    return isRichTextTag(n.tag) ? [{ tag: canonicalTag(n.tag), children }] : children
  })
}

/**
 * Converts sanitised HTML to a tree of plain values. Elements that are not allowed are replaced with their contents.
 */
export const toRichTextNodes = (html: string): RichTextNode[] => convert(parseHtml(html), 0)
