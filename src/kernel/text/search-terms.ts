import { normaliseEmail } from '../validate.ts'
import { splitCompound, toSearchForm } from './search.ts'

/** Minimum digits of a telephone number that is the whole search, and of one among other words. */
const [NUMBER_DIGITS, NUMBER_DIGITS_AMONG_WORDS] = [6, 9]
const NUMBER_PART = /^[\d()+./-]+$/
/** Longest part of a word that is searched for, in characters; longer than any e-mail address. */
const MAX_TERM_LENGTH = 300
const countDigits = (text: string): number => text.replace(/\D/g, '').length

/**
 * Returns the search terms in the given words, normalised by `toSearchForm`. A text is found if it contains all of
 * them. Words made up only of punctuation are ignored. A telephone number becomes its national digits without the zero.
 */
export function listSearchTerms(words: readonly string[]): string[] {
  const whole = words.join('')
  if (NUMBER_PART.test(whole) && countDigits(whole) >= NUMBER_DIGITS) return [nationalDigits(whole)]
  if (/^&+$/.test(whole)) return []
  const terms: string[] = []
  for (let at = 0; at < words.length; ) {
    const end = words.findIndex((word, n) => n >= at && !NUMBER_PART.test(word))
    const number = words.slice(at, end < 0 ? undefined : end).join('')
    if (/^\(?(\+|0|44)/.test(number) && countDigits(number) >= NUMBER_DIGITS_AMONG_WORDS) {
      terms.push(nationalDigits(number))
      at = end < 0 ? words.length : end
      continue
    }
    let word = words[at++] ?? ''
    // "M & S" is looked for as one term, because single letters occur everywhere.
    while (at < words.length && (words[at] === '&' || word.endsWith('&'))) word += ` ${words[at++]}`
    terms.push(...termsOfWord(word))
  }
  return terms
}

function nationalDigits(typed: string): string {
  const digits = typed.replace('(0)', '').replace(/\D/g, '')
  return digits.replace(/^00/, '').replace(/^(44|0)/, '')
}

/** Returns the search forms of a word's parts. A matching text contains all of them. */
function termsOfWord(given: string): string[] {
  const typed = given.slice(0, MAX_TERM_LENGTH)
  return typed.includes('@') ? [toSearchForm(normaliseEmail(typed))].filter(Boolean) : splitCompound(typed)
}
