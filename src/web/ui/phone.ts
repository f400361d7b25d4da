/**
 * Returns the digits to dial, with a leading + if the number has one. A bracketed 0 and an extension are omitted.
 * Returns '' if fewer than three digits remain.
 */
export function numberToDial(number: string): string {
  const main = number.replace(/\(0\)/, '').split(/ext|x|#/i)[0] ?? ''
  const digits = main.replace(/\D/g, '')
  return digits.length < 3 ? '' : `${main.trim().startsWith('+') ? '+' : ''}${digits}`
}

/** Returns the number for screen readers: digit by digit, in the groups in which it is written. */
export const spokenPhoneNumber = (number: string): string =>
  number
    .trim()
    .split(/[\s()-]+/)
    .filter(Boolean)
    .map((group) => group.replace(/\d|\+/g, (c) => (c === '+' ? 'plus ' : `${c} `)).trim())
    .join(', ')
