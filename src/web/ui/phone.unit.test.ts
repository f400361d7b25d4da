import { expect, it } from 'vitest'
import { formatPhoneNumber, formatSpokenPhoneNumber, numberToDial } from './phone.ts'

it.each([
  ['01234 567 890', '01234567890'],
  ['+44 (0)20 7946 0018', '+442079460018'],
  ['(0161) 496-0123 ext 4', '01614960123'],
  ['ask for Jo', ''],
])('the telephone number "%s" is dialled as "%s"', (typed, to) => expect(numberToDial(typed)).toBe(to))

it('a telephone number is read out digit by digit', () => {
  expect(formatSpokenPhoneNumber('020 7946')).toBe('0 2 0, 7 9 4 6')
  expect(formatSpokenPhoneNumber('+44 20')).toBe('plus 4 4, 2 0')
})

it.each([
  ['+441632960169', '01632 960169'],
  ['+442079460018', '020 7946 0018'],
  ['+441214960123', '0121 496 0123'],
  ['+447700900123', '07700 900123'],
  ['+448081570192', '0808 157 0192'],
  ['+33142685300', '+33142685300'],
  ['01632 960169', '01632 960169'],
])('a stored number %s is shown as %s', (stored, shown) => {
  expect(formatPhoneNumber(stored)).toBe(shown)
})
