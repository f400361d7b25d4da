import { expect, test } from 'vitest'
import { MAX_BLOCKING_MS, measureThreadTime } from '#test/support/effort.ts'
import { isEmail, listUniqueEmailAddresses, MAX_EMAIL_LENGTH, normaliseEmail } from './validate.ts'

test('a valid e-mail address has one @, a dot after the @ and at most 254 characters', () => {
  for (const good of ['a@b.example', "o'brien+x@a.co.uk"]) expect([good, isEmail(good)]).toEqual([good, true])
  for (const bad of [
    '',
    'a',
    'a@b',
    'a b@c.example',
    'a@b@c.example',
    '@c.example',
    'a"<b@c.example',
    'a@b.c>',
    'a,b@c.example',
  ])
    expect([bad, isEmail(bad)]).toEqual([bad, false])
  const end = '@b.example'
  expect(isEmail('a'.repeat(MAX_EMAIL_LENGTH - end.length) + end)).toBe(true)
  expect(isEmail('a'.repeat(MAX_EMAIL_LENGTH - end.length + 1) + end)).toBe(false)
})

test('a very long string is quickly rejected as an e-mail address', async () => {
  expect(await measureThreadTime(() => isEmail(`a@${'.'.repeat(2_000_000)}@`))).toBeLessThan(MAX_BLOCKING_MS)
})

test('e-mail addresses that differ only in case or surrounding spaces are treated as the same', () => {
  expect(listUniqueEmailAddresses(['a@b.example', ' A@B.example', 'c@d.example', 'a@b.example'])).toEqual([
    'a@b.example',
    'c@d.example',
  ])
})

test.each([
  ['\u200bann@unseen.example', 'ann@unseen.example'],
  ['bob@unseen.example\u200b', 'bob@unseen.example'],
  ['bo\u00adb@unseen.example\ufeff ', 'bob@unseen.example'],
  ['\uff41nn@\uff46irm.example', 'ann@firm.example'],
  ['Ann@Firm.example', 'Ann@Firm.example'],
  ['ann@bücher.example', 'ann@xn--bcher-kva.example'],
  ['ann@BÜCHER.example', 'ann@xn--bcher-kva.example'],
  ['ann@xn--bcher-kva.example', 'ann@xn--bcher-kva.example'],
  ['no', 'no'],
  ['', ''],
])('the e-mail address %j is stored as %j', (typed, stored) => {
  expect(normaliseEmail(typed)).toBe(stored)
  expect(normaliseEmail(stored)).toBe(stored)
})

test.each(['ann@dot.example.', 'bob@dot..example', 'bob@.example', 'b\u200bob@unseen.example'])(
  '%j is not an e-mail address',
  (typed) => expect(isEmail(typed)).toBe(false),
)
