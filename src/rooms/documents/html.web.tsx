import { createElement, type ReactNode } from 'react'
import { type Node, parseHtml } from '#kernel/forms/html.ts'

const SHOWN = new Set(['p', 'strong', 'b', 'em', 'i', 'u', 's', 'ul', 'ol', 'li', 'blockquote', 'br', 'hr'])

/** Formatted text as elements: nothing of it is ever taken for markup of the page. */
export const Html = ({ html }: { readonly html: string }) => <>{parseHtml(html).map(element)}</>

function element(node: Node, key: number): ReactNode {
  if (typeof node === 'string') return node
  const inside = node.children.map(element)
  if (!SHOWN.has(node.tag)) return <span key={key}>{inside}</span>
  return inside.length ? createElement(node.tag, { key }, ...inside) : createElement(node.tag, { key })
}
