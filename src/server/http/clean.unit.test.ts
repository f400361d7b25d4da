import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { sanitiseJson, sanitiseRequestText, sanitiseText } from './clean.ts'

/**
 * Text with anything that a client could send: null characters, lone surrogates, and backslashes that don't start an
 * escape sequence.
 */
const anyText = fc.string({
  unit: fc.oneof(fc.constantFrom('\u0000', '\ud83d', '\ude00', '💩', '\\', '\\u0000', 'u0000', '"'), fc.string()),
})

/** Escapes every UTF-16 code unit, because some clients write JSON in this way. */
const escaped = (s: string) =>
  `"${Array.from({ length: s.length }, (_, i) => `\\u${s.charCodeAt(i).toString(16).padStart(4, '0')}`).join('')}"`

describe('sanitised JSON', () => {
  test.each([
    ['"a\\u0000b"', 'ab'],
    ['"a\\\\u0000b"', 'a\\u0000b'],
    ['"a\\\\\\u0000b"', 'a\\b'],
    ['"\\ud83d\\udca9"', '💩'],
    ['"\\uD83D\\uDCA9 \\uD83D"', '💩 \ufffd'],
    ['"\\ude00\\ud83d"', '\ufffd\ufffd'],
    ['"\\u0041"', 'A'],
  ])('the JSON text %s is sanitised so that it parses to %j', (json, value) => {
    expect(JSON.parse(sanitiseJson(json))).toBe(value)
  })

  test('sanitised JSON parses to the sanitised text', () => {
    fc.assert(
      fc.property(anyText, (s) => {
        expect(JSON.parse(sanitiseJson(JSON.stringify(s)))).toBe(sanitiseText(s))
        expect(JSON.parse(sanitiseJson(escaped(s)))).toBe(sanitiseText(s))
        expect(JSON.parse(sanitiseJson(JSON.stringify({ [s]: [s] })))).toEqual({ [sanitiseText(s)]: [sanitiseText(s)] })
      }),
    )
  })

  test('sanitising does not change JSON that can already be stored, or text that is not JSON', () => {
    for (const json of ['{"a":"b\\n\\u00e9"}', '{', '"\\uzzzz"', '"\\ud8zz"']) expect(sanitiseJson(json)).toBe(json)
  })
})

test('query parameters and cookies are sanitised in names and values, including lists', () => {
  const request = {
    url: '/?a%00=b%00&c=%00&c=d',
    headers: { cookie: 'session=x%00' },
    query: { 'a\u0000': 'b\u0000', c: ['\u0000', 'd'] },
    params: { id: '1' },
    cookies: { session: 'x\u0000', other: undefined },
  }
  sanitiseRequestText(request)
  expect(request).toMatchObject({
    query: { a: 'b', c: ['', 'd'] },
    params: { id: '1' },
    cookies: { session: 'x', other: undefined },
  })
})

test('a request whose path needs sanitising returns 404', () => {
  const asked = { url: '/%00', headers: {}, query: {}, cookies: {} }
  for (const id of ['1\u0000', '\ud800'])
    expect(() => sanitiseRequestText({ ...asked, params: { id } })).toThrow('Not found.')
})
