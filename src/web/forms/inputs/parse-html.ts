import { cleanNodes } from '#kernel/text/clean-nodes.ts'
import { type Element, type Node, UNREAD_ELEMENTS } from '#kernel/text/html.ts'

/** Parses HTML with the browser's own parser. None of it is loaded or run. */
export const parseHtml = (html: string): Node[] => nodesIn(new DOMParser().parseFromString(html, 'text/html').body)

const nodesIn = (parent: ParentNode): Node[] =>
  [...parent.childNodes].flatMap((node): Node[] => {
    if (node.nodeType === node.TEXT_NODE) return [node.textContent ?? '']
    return node.nodeType === node.ELEMENT_NODE ? elementOf(node as globalThis.Element) : []
  })

function elementOf(element: globalThis.Element): Element[] {
  const tag = element.localName
  if (UNREAD_ELEMENTS.has(tag)) return []
  return [{ tag, style: element.getAttribute('style')?.toLowerCase() ?? '', children: nodesIn(element) }]
}

/** Cleans HTML that was pasted from a word processor or a web page. */
export const cleanPaste = (html: string): string => cleanNodes(parseHtml(html), { keepEmpty: false })
