import { createElement, type ReactNode, useMemo } from 'react'
import type { HtmlNode } from '#kernel/text/html.ts'
import { isRichTextTag } from '#kernel/text/runs.ts'
import { parseHtml } from './parse-html.ts'
import css from './rich-text-view.module.css'

/** Shows formatted text as React elements. None of the text is ever inserted as HTML. */
export function RichTextView({ html }: { readonly html: string }) {
  const content = useMemo(() => (html ? parseHtml(html).map(element) : undefined), [html])
  return content ? <div className={css.text}>{content}</div> : null
}

function element(node: HtmlNode, key: number): ReactNode {
  if (typeof node === 'string') return node
  const inside = node.children.map(element)
  if (!isRichTextTag(node.tag)) return <span key={key}>{inside}</span>
  // React accepts no children for br and hr, not even an empty list.
  return inside.length ? createElement(node.tag, { key }, ...inside) : createElement(node.tag, { key })
}
