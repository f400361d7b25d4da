import fc from 'fast-check'
import sanitizeHtml from 'sanitize-html'
import { expect, test } from 'vitest'
import { htmlToText } from '#kernel/text/runs.ts'
import { MAX_BLOCKING_MS, measureThreadTime } from '#test/support/effort.ts'
import { sanitiseHtml } from './rich-text.ts'

const MAX_LENGTH = 200_000
const TAGS = 'p ul ol blockquote hr li br strong b em i u s'.split(' ')
const PIECES = [
  '<p>a</p>',
  '<b>',
  '<div>',
  'x<br>',
  '<',
  '<a ',
  '&',
  '&#x41',
  '&notit;',
  '<!--',
  '<![CDATA[',
  '<a b="',
  '</b>',
  '<li>',
  '<p>',
  '<p><hr>',
  '<script>',
  '<style>',
  '<textarea>',
  '<title>',
  '<svg>',
  '<math>',
  '<tr><td>',
  '<option>',
  '<b/>',
  '<ul><li>',
  '<?',
  '</',
  "<a b='",
  '<plaintext>',
  '</script',
  '<svg><![CDATA[',
  '\u00a0',
  ' ',
  '<b ',
  'b="" ',
]

test.each(PIECES)(
  'two hundred thousand characters of %j are sanitised, and converted to plain text, without a noticeable delay',
  async (piece) => {
    const text = piece.repeat(Math.ceil(MAX_LENGTH / piece.length)).slice(0, MAX_LENGTH)
    expect(await measureThreadTime(() => sanitiseHtml(text))).toBeLessThan(MAX_BLOCKING_MS)
    expect(await measureThreadTime(() => htmlToText(text))).toBeLessThan(MAX_BLOCKING_MS)
  },
)

test('sanitised text has at most a hundred levels of nested elements, and retains the words of deeper ones', () => {
  const deep = `${'<b>'.repeat(5000)}in${'</b>'.repeat(4999)}out</b>`
  expect(sanitiseHtml(deep)).toBe(`${'<b>'.repeat(100)}in${'</b>'.repeat(99)}out</b>`)
})

test('an independent sanitiser removes nothing from text that has been sanitised', () => {
  const pieces = fc.constantFrom(
    ...PIECES,
    '</p>',
    '</ul>',
    '</script>',
    '-->',
    ']]>',
    '>',
    '"',
    "'",
    '=',
    '/',
    'a',
    ' onclick=x',
    '&lt;b&gt;',
    '&#0;',
    '\0',
    '<i',
    '<br',
    '<B>',
    '<x:b>',
    '<b\n>',
    '<img src=x onerror=y>',
    '<a href="javascript:x">',
    '<iframe>',
    '<noscript>',
    '<template>',
    '<svg/onload=x>',
    '<![endif]-->',
  )
  fc.assert(
    fc.property(fc.array(fc.oneof(pieces, fc.string({ maxLength: 3 })), { maxLength: 30 }), (parts) => {
      const kept = sanitiseHtml(parts.join(''))
      expect(sanitizeHtml(kept, { allowedTags: TAGS, allowedAttributes: {} })).toBe(kept)
    }),
    { numRuns: 2000 },
  )
})
