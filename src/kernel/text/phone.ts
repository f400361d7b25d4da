const UP_TO_WORDS = /[0-9+][^A-Za-z#,;/]*/

/**
 * Converts a telephone number, as typed in the United Kingdom, to E.164: `+441632960123`. The number may be national or
 * international, with spaces, brackets, "(0)" or an extension. Returns an empty string if the number is incomplete.
 * `phone_e164()` in the database returns the same. Sources: ITU-T E.164; Ofcom's national numbers of nine or ten
 * digits.
 */
export function toE164(typed: string | null | undefined): string {
  const said = (UP_TO_WORDS.exec(typed ?? '')?.[0] ?? '').replaceAll('(0)', '')
  const digits = said.replace(/[^0-9]/g, '')
  if (said.startsWith('+') || digits.startsWith('00')) {
    const abroad = digits.replace(/^00/, '')
    if (abroad.startsWith('44')) return ofUk(abroad.slice(2))
    return /^[1-9][0-9]{6,14}$/.test(abroad) ? `+${abroad}` : ''
  }
  return ofUk(/^44[1-9][0-9]{8,9}$/.test(digits) ? digits.slice(2) : digits)
}

function ofUk(digits: string): string {
  const national = digits.replace(/^0+/, '')
  return /^[1-9][0-9]{8,9}$/.test(national) ? `+44${national}` : ''
}
