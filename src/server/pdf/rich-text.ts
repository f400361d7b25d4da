import type { Node } from '#kernel/text/html.ts'
import { isRichTag, plainTag } from '#kernel/text/rich-text.ts'
import { parseHtml } from '../parse-html.ts'

/** A piece of rich text as the templates know it: plain text, or an element of the small set with its children. */
export type RichNode = string | { readonly tag: string; readonly children: readonly RichNode[] }

/** Deeper than anybody writes; a template's recursion has an end. */
const DEEPEST = 24

function convert(nodes: readonly Node[], depth: number): RichNode[] {
  return nodes.flatMap((n): RichNode[] => {
    if (typeof n === 'string') return [n.replace(/\s+/g, ' ')]
    const children = depth < DEEPEST ? convert(n.children, depth + 1) : []
    return isRichTag(n.tag) ? [{ tag: plainTag(n.tag), children }] : children
  })
}

/** Sanitised HTML as a tree of plain values. Elements outside the portal's small set give way to their contents. */
export const richNodes = (html: string): RichNode[] => convert(parseHtml(html), 0)
