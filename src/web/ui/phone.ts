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
export const formatSpokenPhoneNumber = (number: string): string =>
  number
    .trim()
    .split(/[\s()-]+/)
    .filter(Boolean)
    .map((group) => group.replace(/\d|\+/g, (c) => (c === '+' ? 'plus ' : `${c} `)).trim())
    .join(', ')

/** Length of the area code of a UK number, by how the number starts without its 0. */
const UK_AREA_CODES: readonly (readonly [RegExp, number])[] = [
  [/^2/, 2],
  [/^(?:11|1\d1|3|8|9)/, 3],
  [/^[157]/, 4],
]

/**
 * Formats a number as UK users write it: `+441632960169` → `01632 960169`. Other numbers, and those that are already
 * grouped, are unchanged.
 */
export function formatPhoneNumber(number: string): string {
  const [, rest] = /^\+44(\d{9,10})$/.exec(number.trim()) ?? []
  const length = rest && UK_AREA_CODES.find(([start]) => start.test(rest))?.[1]
  if (!rest || !length) return number
  const [area, local] = [rest.slice(0, length), rest.slice(length)]
  return `0${area} ${local.length > 6 ? `${local.slice(0, -4)} ${local.slice(-4)}` : local}`
}
