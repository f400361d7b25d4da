import { createElement, type ReactNode } from 'react'
import { type Node, parseHtml } from '#kernel/text/html.ts'
import { isRichTag } from '#kernel/text/rich-text.ts'
import css from './rich-text-view.module.css'

/** Formatted text to read, as elements: nothing of it is ever taken for markup of the page. */
export const RichTextView = ({ html }: { readonly html: string }) =>
  html ? <div className={css.text}>{parseHtml(html).map(element)}</div> : null

function element(node: Node, key: number): ReactNode {
  if (typeof node === 'string') return node
  const inside = node.children.map(element)
  if (!isRichTag(node.tag)) return <span key={key}>{inside}</span>
  // An empty list of children is already too much for br and hr.
  return inside.length ? createElement(node.tag, { key }, ...inside) : createElement(node.tag, { key })
}
