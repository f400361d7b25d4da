import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type RichTextNode, toRichTextNodes } from './rich-text.ts'

const words = (nodes: readonly RichTextNode[]): string =>
  nodes.map((n) => (typeof n === 'string' ? n : words(n.children))).join('')

describe('toRichTextNodes', () => {
  test('toRichTextNodes retains the allowed elements, and converts synonyms such as b and i to one name each', () => {
    expect(toRichTextNodes('<p>a <b>b</b> <i>c</i><br></p><hr>')).toEqual([
      {
        tag: 'p',
        children: [
          'a ',
          { tag: 'strong', children: ['b'] },
          ' ',
          { tag: 'em', children: ['c'] },
          { tag: 'br', children: [] },
        ],
      },
      { tag: 'hr', children: [] },
    ])
  })

  test('toRichTextNodes replaces other elements with their contents, except scripts and styles', () => {
    expect(toRichTextNodes('<div><a href="/x">link</a></div>')).toEqual(['link'])
    expect(toRichTextNodes('<p>a</p><script>alert(1)</script><style>p{}</style><!-- c -->')).toEqual([
      { tag: 'p', children: ['a'] },
    ])
  })

  test('toRichTextNodes decodes entities', () => {
    expect(toRichTextNodes('&lt;b&gt; &amp; &#35;let')).toEqual(['<b> & #let'])
  })

  test('toRichTextNodes preserves all text of any input', () => {
    const escaped = (s: string) => s.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
    fc.assert(
      fc.property(fc.array(fc.string()), (texts) => {
        const html = texts.map((t) => `<li>${escaped(t)}</li>`).join('')
        expect(words(toRichTextNodes(html))).toBe(texts.map((t) => t.replace(/\s+/g, ' ')).join(''))
      }),
    )
  })

  test('toRichTextNodes limits the depth of nested elements', () => {
    expect(() => toRichTextNodes('<b>'.repeat(20_000))).not.toThrow()
  })
})
