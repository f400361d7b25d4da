/** Telephone numbers in a text, and the parts that look like numbers but are incomplete or too long. */
export interface ParsedPhoneNumbers {
  /** Numbers in E.164, such as `+441632960123`, each once and in the order of the text. */
  readonly numbers: readonly string[]
  readonly unreadable: readonly string[]
}

const EXTENSION = /(?:(?<![a-z])(?:ext(?:ension|n)?|x)\.?|#) *[0-9]{1,6}(?![0-9])/gi
/** Text without a letter or separator. It contains one number, or several with spaces between them. */
const RUN = /[0-9+][^A-Za-z#,;/|&\n\r]*/g
/** Minimum digits of a further number, with its area code. */
const FEWEST_DIGITS = 9
const MOST_DIGITS = 20
/** Minimum digits for unreadable text to count as a possible number. */
const DOUBTFUL_DIGITS = 3

/**
 * Finds the telephone numbers in a text, as typed in the United Kingdom: national or international, with spaces,
 * brackets, "(0)", words or an extension, and any number of them. `phone_numbers()` in the database returns the same
 * numbers. Sources: ITU-T E.164; Ofcom's national numbers of nine or ten digits.
 */
export function parsePhoneNumbers(typed: string | null | undefined): ParsedPhoneNumbers {
  const text = (typed ?? '')
    .normalize('NFKC')
    .replace(EXTENSION, ' | ')
    .replace(/\( *0 *\)/g, '')
  const numbers = new Set<string>()
  const unreadable: string[] = []
  const take = (digits: string) => {
    const number = numberOf(digits)
    if (number) numbers.add(number)
    else if (digits.replace('+', '').length >= DOUBTFUL_DIGITS) unreadable.push(digits)
  }
  for (const [run] of text.matchAll(RUN)) {
    const parts = run.split(' ').map((part) => part.replace(/[^0-9+]/g, '').replace(/(?!^)\+/g, ''))
    let left = digitsIn(parts.join(''))
    let digits = ''
    for (const part of parts) {
      // A further number begins with 0 or "+", after a complete one.
      if (/^[0+]/.test(part) && left >= FEWEST_DIGITS && numberOf(digits)) {
        take(digits)
        digits = ''
      }
      // No number has more than fifteen digits, so more of them need not be collected.
      if (digits.length < MOST_DIGITS) digits += digits ? part.replaceAll('+', '') : part
      left -= digitsIn(part)
    }
    take(digits)
  }
  return { numbers: [...numbers], unreadable }
}

/**
 * Returns the numbers of a field, as they are shown and called: as typed if the field holds one number, or else in
 * E.164. Empty for an empty field.
 */
export function listNumbersOfField(typed: string | null | undefined): readonly string[] {
  if (!typed?.trim()) return []
  const { numbers } = parsePhoneNumbers(typed)
  return numbers.length > 1 ? numbers : [typed]
}

/** Converts the first telephone number in a text to E.164. Returns an empty string if the text contains none. */
export const toE164 = (typed: string | null | undefined): string => parsePhoneNumbers(typed).numbers[0] ?? ''

const digitsIn = (text: string): number => text.replaceAll('+', '').length

/** Converts digits, with "+" before them if it was typed, to E.164. Returns an empty string for an incomplete number. */
function numberOf(typed: string): string {
  const digits = typed.replace('+', '')
  if (typed.startsWith('+') || digits.startsWith('00')) {
    const abroad = digits.replace(/^00/, '')
    if (abroad.startsWith('44')) return ofUk(abroad.slice(2))
    return /^[1-9][0-9]{6,14}$/.test(abroad) ? `+${abroad}` : ''
  }
  return ofUk(/^440?[1-9][0-9]{8,9}$/.test(digits) ? digits.slice(2) : digits)
}

function ofUk(digits: string): string {
  const national = digits.replace(/^0+/, '')
  return /^[1-9][0-9]{8,9}$/.test(national) ? `+44${national}` : ''
}
