import { sanitiseNodes } from '#kernel/text/clean-nodes.ts'
import { type HtmlElement, type HtmlNode, NON_TEXT_ELEMENTS } from '#kernel/text/html.ts'

/** Parses HTML with the browser's own parser. Nothing in the HTML is loaded or executed. */
export const parseHtml = (html: string): HtmlNode[] => nodesIn(new DOMParser().parseFromString(html, 'text/html').body)

const nodesIn = (parent: ParentNode): HtmlNode[] =>
  [...parent.childNodes].flatMap((node): HtmlNode[] => {
    if (node.nodeType === node.TEXT_NODE) return [node.textContent ?? '']
    return node.nodeType === node.ELEMENT_NODE ? elementOf(node as globalThis.Element) : []
  })

function elementOf(element: globalThis.Element): HtmlElement[] {
  const tag = element.localName
  if (NON_TEXT_ELEMENTS.has(tag)) return []
  return [{ tag, style: element.getAttribute('style')?.toLowerCase() ?? '', children: nodesIn(element) }]
}

/** Cleans HTML that was pasted from a word processor or a web page. */
export const cleanPastedHtml = (html: string): string => sanitiseNodes(parseHtml(html), { keepEmpty: false })
