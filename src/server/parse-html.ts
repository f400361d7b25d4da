import { createRequire } from 'node:module'
import type { Parser } from 'htmlparser2'
import { sanitiseNodes } from '#kernel/text/clean-nodes.ts'
import { type HtmlElement, type HtmlNode, NON_TEXT_ELEMENTS } from '#kernel/text/html.ts'

// Parser class, loaded with the first formatted text because its entity tables are large.
let parserClass: typeof Parser | undefined

/** Maximum nesting. Elements that are nested deeper are flattened. */
const MAX_DEPTH = 100

/**
 * Nesting of elements after which the rest is taken as text without elements: the parser's time would grow with the
 * square of the nesting.
 */
const MAX_OPEN_ELEMENTS = 1000

/** Parses HTML, including malformed HTML. `attributes` includes all attributes, for callers that never output the HTML. */
export function parseHtml(html: string, { attributes = false } = {}): HtmlNode[] {
  parserClass ??= (createRequire(import.meta.url)('htmlparser2') as { Parser: typeof Parser }).Parser
  const root: HtmlElement = { tag: '', style: '', children: [] }
  // An element of a skipped type is not added to its parent. An element beyond the maximum depth is replaced with its
  // contents.
  const open: HtmlElement[] = [root]
  const add = ({ children }: HtmlElement, text: string) => {
    const last = children.at(-1)
    if (typeof last === 'string') children[children.length - 1] = last + text
    else children.push(text)
  }
  const parser = new parserClass({
    onopentag: (tag, all) => {
      if (open.length > MAX_OPEN_ELEMENTS) parser.pause()
      const style = (all.style ?? '').toLowerCase()
      const element: HtmlElement = { tag, style, children: [], ...(attributes ? { attributes: all } : {}) }
      const parent = open.at(-1) ?? root
      if (NON_TEXT_ELEMENTS.has(tag)) return open.push(element)
      if (open.length > MAX_DEPTH) return open.push(parent)
      parent.children.push(element)
      return open.push(element)
    },
    ontext: (text) => add(open.at(-1) ?? root, text),
    onclosetag: () => open.pop(),
  })
  parser.end(html)
  if (open.length > MAX_OPEN_ELEMENTS) {
    const text = html.slice(parser.endIndex + 1).replace(/<[^<>]*>/g, ' ')
    const plain = new parserClass({ ontext: (part) => add(root, part) })
    plain.end(text.replaceAll('<', ' '))
  }
  return root.children
}

/** Sanitises formatted text in a form answer. Empty paragraphs are preserved. */
export const sanitiseAnswerHtml = (html: string): string => sanitiseNodes(parseHtml(html), { keepEmpty: true })
