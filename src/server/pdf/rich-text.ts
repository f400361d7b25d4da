import { parseDocument } from 'htmlparser2'

/** A piece of rich text as the templates know it: plain text, or an element of the small set with its children. */
export type RichNode = string | { readonly tag: string; readonly children: readonly RichNode[] }

const SAME: Readonly<Record<string, string>> = { b: 'strong', i: 'em' }
const KEPT = new Set(['p', 'br', 'strong', 'em', 'u', 's', 'ul', 'ol', 'li', 'blockquote', 'hr'])
/** Deeper than anybody writes; a template's recursion has an end. */
const DEEPEST = 24

interface Parsed {
  readonly type: string
  readonly name?: string
  readonly data?: string
  readonly children?: readonly Parsed[]
}

function convert(nodes: readonly Parsed[], depth: number): RichNode[] {
  return nodes.flatMap((n): RichNode[] => {
    if (n.type === 'text') return [(n.data ?? '').replace(/\s+/g, ' ')]
    if (n.type !== 'tag' || !n.name) return []
    const children = depth < DEEPEST ? convert(n.children ?? [], depth + 1) : []
    const tag = SAME[n.name] ?? n.name
    return KEPT.has(tag) ? [{ tag, children }] : children
  })
}

/** Sanitised HTML as a tree of plain values. Elements outside the portal's small set give way to their contents. */
export function richNodes(html: string): RichNode[] {
  return convert(parseDocument(html).children as readonly Parsed[], 0)
}
