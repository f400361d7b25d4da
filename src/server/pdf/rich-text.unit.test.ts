import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type RichNode, richNodes } from './rich-text.ts'

const words = (nodes: readonly RichNode[]): string =>
  nodes.map((n) => (typeof n === 'string' ? n : words(n.children))).join('')

describe('richNodes', () => {
  test('keeps the small set, under one name each', () => {
    expect(richNodes('<p>a <b>b</b> <i>c</i><br></p><hr>')).toEqual([
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

  test('gives the contents of other elements, without those that are code', () => {
    expect(richNodes('<div><a href="/x">link</a></div>')).toEqual(['link'])
    expect(richNodes('<p>a</p><script>alert(1)</script><style>p{}</style><!-- c -->')).toEqual([
      { tag: 'p', children: ['a'] },
    ])
  })

  test('reads entities as the characters they stand for', () => {
    expect(richNodes('&lt;b&gt; &amp; &#35;let')).toEqual(['<b> & #let'])
  })

  test('loses no text, whatever it is', () => {
    const escaped = (s: string) => s.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
    fc.assert(
      fc.property(fc.array(fc.string()), (texts) => {
        const html = texts.map((t) => `<li>${escaped(t)}</li>`).join('')
        expect(words(richNodes(html))).toBe(texts.map((t) => t.replace(/\s+/g, ' ')).join(''))
      }),
    )
  })

  test('has an end however deep it goes', () => {
    expect(() => richNodes('<b>'.repeat(20_000))).not.toThrow()
  })
})
