import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MAX_BLOCKING_MS, measureThreadTime } from '#test/support/effort.ts'
import { parseHtml, sanitiseAnswerHtml } from './parse-html.ts'

describe('formatted text in a form answer', () => {
  it.each([
    ['plain words', '<p>plain words</p>'],
    ['a < b & c', '<p>a &lt; b &amp; c</p>'],
    ['<p>one<p>two', '<p>one</p><p>two</p>'],
    ['<p>a</p><p></p><p>b</p>', '<p>a</p><p></p><p>b</p>'],
    ['<p onclick="x()">a<script>alert(1)</script></p><img src=x onerror=y>', '<p>a</p>'],
    ['<svg><p>a</p></svg><p title="a > b">c</p>', '<p>c</p>'],
    ['<table><td>d</td></table>', '<p>d</p>'],
    ['<p><b>a</b><strong>b</strong></p>', '<p><strong>ab</strong></p>'],
  ])('formatted text in a form answer is sanitised: %s', (given, cleaned) =>
    expect(sanitiseAnswerHtml(given)).toBe(cleaned),
  )

  const piece = fc.constantFrom(
    ...'<p>,</p>,<b>,</b>,<em>,<ul>,</ul>,<ol>,<li>,</li>,<br>,<hr>,<blockquote>,<td>,<h1>,</h1>'.split(','),
    ...'<![if !x]>,<!--,-->,<script>,</script>,<a href="x">,a, ,word &amp; word,&lt;,&nbsp;,<,>,"'.split(','),
  )
  const html = fc.array(piece, { maxLength: 25 }).map((pieces) => pieces.join(''))
  const ALLOWED = /^(?:[^<>]|<\/?(?:p|strong|em|u|s|ul|ol|li|blockquote)>|<br>|<hr>)*$/

  it('formatted text in a form answer has only allowed tags without attributes, and does not change when sanitised again', () => {
    fc.assert(
      fc.property(html, (given) => {
        const once = sanitiseAnswerHtml(given)
        expect(once).toMatch(ALLOWED)
        expect(sanitiseAnswerHtml(once)).toBe(once)
      }),
      { numRuns: 1000 },
    )
  })

  it.each([' ', '\u00a0', '<b>', '<p>', '<', '&', 'x\u00a0 '])(
    '%j repeated to 200,000 characters is sanitised in reasonable time',
    async (repeated) => {
      const long = `<p>a${repeated.repeat(200_000 / repeated.length)}b</p>`
      expect(await measureThreadTime(() => sanitiseAnswerHtml(long))).toBeLessThan(5 * MAX_BLOCKING_MS)
    },
  )
})

describe('parsed HTML', () => {
  it('parsed HTML joins text around entities', () => expect(parseHtml('a &amp; b&nbsp;c')).toEqual(['a & b\u00a0c']))
  it('parsed HTML retains the text of elements nested too deeply', () =>
    expect(JSON.stringify(parseHtml(`${'<b>'.repeat(20_000)}deep`))).toContain('deep'))
})
