import { createElement, type ReactNode } from 'react'
import { type Node, parseHtml } from '#kernel/forms/html.ts'
import css from './body.module.css'

const SHOWN = new Set(['p', 'strong', 'b', 'em', 'i', 'u', 's', 'ul', 'ol', 'li', 'blockquote'])

/** Formatted text of a statement as elements: nothing of it is ever taken for markup of the page. */
export const RichWords = ({ html }: { readonly html: string }) =>
  html ? <div className={css.html}>{parseHtml(html).map(element)}</div> : null

function element(node: Node, key: number): ReactNode {
  if (typeof node === 'string') return node
  if (node.tag === 'br' || node.tag === 'hr') return createElement(node.tag, { key })
  const inside = node.children.map(element)
  return SHOWN.has(node.tag) ? createElement(node.tag, { key }, ...inside) : <span key={key}>{inside}</span>
}
