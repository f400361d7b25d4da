import fc from 'fast-check'
import { JSDOM } from 'jsdom'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { escapeHtmlAndSpaces, type HtmlNode } from '#kernel/text/html.ts'
import { canonicalTag, htmlToText, isRichTextTag } from '#kernel/text/runs.ts'
import { sanitiseHtml } from '#server/data/rich-text.ts'
import { parseHtml, sanitiseAnswerHtml } from '#server/parse-html.ts'
import { type RichTextNode, toRichTextNodes } from '#server/pdf/rich-text.ts'
import { RichTextView } from '#web/forms/inputs/rich-text-view.tsx'

// One function cleans formatted text and several render it. Each of them must be able to render everything that the
// cleaner accepts.

beforeAll(() => void vi.stubGlobal('DOMParser', new JSDOM().window.DOMParser))
afterAll(() => void vi.unstubAllGlobals())

const EMPTY = new Set(['br', 'hr'])
const MARKS = ['strong', 'b', 'em', 'i', 'u', 's']
const word = fc.oneof(fc.stringMatching(/^[a-z]{1,6}$/), fc.constantFrom('<b>', '&amp;', 'a & b', '"', 'é', '💩'))

/** Formatted text as the editor produces it: blocks of text, inline marks, nested lists. */
const { blocks } = fc.letrec<{ inline: string; block: string; blocks: string }>((tie) => ({
  inline: fc.oneof(
    { depthSize: 'small' },
    word.map(escapeHtmlAndSpaces),
    fc.constant('<br>'),
    fc
      .tuple(fc.constantFrom(...MARKS), fc.array(tie('inline'), { maxLength: 3 }))
      .map(([tag, inside]) => `<${tag}>${inside.join('')}</${tag}>`),
  ),
  block: fc.oneof(
    { depthSize: 'small' },
    fc.array(tie('inline'), { maxLength: 4 }).map((inside) => `<p>${inside.join('')}</p>`),
    fc.constant('<hr>'),
    tie('blocks').map((inside) => `<blockquote>${inside}</blockquote>`),
    fc
      .tuple(fc.constantFrom('ul', 'ol'), fc.array(tie('blocks'), { minLength: 1, maxLength: 3 }))
      .map(([tag, items]) => `<${tag}>${items.map((item) => `<li>${item}</li>`).join('')}</${tag}>`),
  ),
  blocks: fc.array(tie('block'), { maxLength: 3 }).map((inside) => inside.join('')),
}))

const textOf = (nodes: readonly (HtmlNode | RichTextNode)[]): string =>
  nodes.map((n) => (typeof n === 'string' ? n : textOf(n.children))).join('')
const tagsOf = (nodes: readonly (HtmlNode | RichTextNode)[]): string[] =>
  nodes.flatMap((n) => (typeof n === 'string' ? [] : [n.tag, ...tagsOf(n.children)]))
const squeezed = (text: string) => text.replace(/[\s\u00a0•]+/g, '')

describe('accepted formatted text', () => {
  test('accepted formatted text is rendered with every word and tag on screens and in documents', () => {
    fc.assert(
      fc.property(blocks, (html) => {
        const kept = sanitiseHtml(html)
        const nodes = parseHtml(kept)
        expect(tagsOf(nodes).filter((tag) => !isRichTextTag(tag))).toEqual([])
        // The cleaner has removed nothing.
        expect(tagsOf(nodes)).toEqual(tagsOf(parseHtml(html)))
        expect(textOf(nodes)).toBe(textOf(parseHtml(html)))
        const screen = renderToStaticMarkup(createElement(RichTextView, { html: kept }))
        expect(tagsOf(parseHtml(screen)).slice(kept ? 1 : 0)).toEqual(tagsOf(nodes))
        expect(textOf(parseHtml(screen))).toBe(textOf(nodes))
        const printed = toRichTextNodes(kept)
        expect(tagsOf(printed)).toEqual(tagsOf(nodes).map((tag) => (isRichTextTag(tag) ? canonicalTag(tag) : tag)))
        expect(textOf(printed)).toBe(textOf(nodes).replace(/\s+/g, ' '))
        expect(squeezed(htmlToText(kept))).toBe(squeezed(textOf(nodes)))
      }),
    )
  })

  test('sanitising accepted formatted text a second time changes nothing', () => {
    fc.assert(
      fc.property(blocks, (html) => {
        expect(sanitiseHtml(sanitiseHtml(html))).toBe(sanitiseHtml(html))
        expect(sanitiseHtml(sanitiseAnswerHtml(html)).replaceAll(/<(br|hr) \/>/g, '<$1>')).toBe(
          sanitiseAnswerHtml(html).replaceAll('&nbsp;', '\u00a0'),
        )
      }),
    )
  })
})

test('every allowed HTML tag is accepted and rendered everywhere', () => {
  const tags = 'p ul ol blockquote hr li br strong b em i u s'.split(' ').filter(isRichTextTag)
  expect(tags).toHaveLength(13)
  for (const tag of tags) {
    const html = EMPTY.has(tag) ? `<${tag}>` : `<${tag}>x</${tag}>`
    expect([tag, tagsOf(parseHtml(sanitiseHtml(html)))]).toEqual([tag, [tag]])
    expect([tag, tagsOf(toRichTextNodes(html))]).toEqual([tag, [canonicalTag(tag)]])
  }
})

test('HTML tags that are not allowed are removed, but their text remains unless it is code', () => {
  const html = '<h1 onclick="x()">a</h1><a href="javascript:y">b</a><script>c()</script><table><td>d</td></table>'
  expect(sanitiseHtml(html)).toBe('abd')
  expect(renderToStaticMarkup(createElement(RichTextView, { html })).replaceAll(/<\/?(?:div|span)[^>]*>/g, '')).toBe(
    'abd',
  )
  expect(textOf(toRichTextNodes(html))).toBe('abd')
  expect(sanitiseAnswerHtml(html)).toBe('<p>a</p><p>b</p><p>d</p>')
})
