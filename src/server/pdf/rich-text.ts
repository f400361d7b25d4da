import type { Node } from '#kernel/text/html.ts'
import { isRichTag, plainTag } from '#kernel/text/rich-text.ts'
import { parseHtml } from '../parse-html.ts'

/** A node of rich text for templates: plain text, or an allowed element with its children. */
export type RichNode = string | { readonly tag: string; readonly children: readonly RichNode[] }

/** Maximum depth, deeper than any real text, to limit the template's recursion. */
const DEEPEST = 24

function convert(nodes: readonly Node[], depth: number): RichNode[] {
  return nodes.flatMap((n): RichNode[] => {
    if (typeof n === 'string') return [n.replace(/\s+/g, ' ')]
    const children = depth < DEEPEST ? convert(n.children, depth + 1) : []
    return isRichTag(n.tag) ? [{ tag: plainTag(n.tag), children }] : children
  })
}

/** Converts sanitised HTML to a tree of plain values. Other elements are replaced with their contents. */
export const richNodes = (html: string): RichNode[] => convert(parseHtml(html), 0)
