const NOT_PLAIN = /[^ -~\n]/
/** Spacing accents, which are typed as apostrophes and which NFKD would turn into a space and a combining accent. */
const SPACING_ACCENTS = /[¨¯´¸]+/g
/** Letters that have no decomposition, and the letters that people type for them. */
const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  þ: 'th',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ı: 'i',
  ð: 'd',
  ħ: 'h',
  ŧ: 't',
  ŋ: 'n',
  ς: 'σ',
}
const LETTER = new RegExp(`[${Object.keys(LETTERS).join('')}]`, 'g')
const BLANKS = /[\t\v\f\r\u0085\u1680\u2028\u2029]/g
const SIGNS = /[!-/:-@[-`{-~]+/g
/** Punctuation, symbols, combining marks, invisible characters and halves of surrogate pairs, as ranges of a pattern. */
const OTHER_SIGN_RANGES =
  String.raw`\u0000-\u0008 \u000e-\u001f \u007f-\u0084 \u0086-\u009f \u00a1-\u00bf \u00d7 \u00f7 \u02b0-\u036f \u0483-\u0489 \u1ab0-\u1aff \u1dc0-\u1dff \u2000-\u2027 \u202a-\u2bff \u2e00-\u2e7f \u3001-\u3004 \u3008-\u3020 \u3030 \u3099 \u309a \u30fb \ud800-\udfff \ufe00-\ufe0f \ufe20-\ufe2f \ufeff \ufff9-\uffff`.split(
    ' ',
  )
const OTHER_SIGNS = new RegExp(`[${OTHER_SIGN_RANGES.join('')}]+`, 'gu')
const SPACE_AT_DIGIT = / (?=[0-9])|(?<=[0-9]) /g

/**
 * Returns the form in which texts and searches are compared: lower case; letters without accents; no apostrophes,
 * hyphens, punctuation or invisible characters; "&" as "and"; one space between words, but none beside a digit, so that
 * a postcode or number is found with any spaces. A line break always separates words. `search_form()` in the database
 * returns the same.
 */
export function toSearchForm(text: string): string {
  let s = text
  if (NOT_PLAIN.test(s)) {
    s = s.replace(SPACING_ACCENTS, '').normalize('NFKD').toLowerCase()
    s = s
      .replace(LETTER, (letter) => LETTERS[letter] ?? letter)
      .replace(BLANKS, ' ')
      .replace(OTHER_SIGNS, '')
  } else s = s.toLowerCase()
  s = s.replaceAll('&', ' and ').replace(SIGNS, '').replace(/ {2,}/g, ' ').replace(SPACE_AT_DIGIT, '')
  return s.replace(/ *\n[ \n]*/g, ' ').trim()
}

const SEPARATORS = /[\p{Pd}\u2212./,;:_|\\]/u

/**
 * Returns the forms of a word's parts. A compound of letters is found by its parts, because they may be stored with a
 * space or a hyphen or neither.
 */
export function splitCompound(word: string): string[] {
  const form = toSearchForm(word)
  if (!form) return []
  const forms = /\d/.test(form) ? [] : word.split(SEPARATORS).map(toSearchForm).filter(Boolean)
  return forms.length > 1 && forms.every((part) => part.length > 1) ? forms : [form]
}

/**
 * Returns a function that is true if texts contain every word of a search, whatever their case, accents and
 * punctuation. A search without words matches everything, and one that has only punctuation matches nothing.
 */
export function createTextMatcher(query: string): (...texts: readonly string[]) => boolean {
  const words = query.split(/\s+/).filter(Boolean)
  const terms = words.flatMap(splitCompound)
  if (!terms.length) return () => !words.length
  return (...texts) => {
    const text = toSearchForm(texts.join('\n'))
    return terms.every((term) => text.includes(term))
  }
}

/** Returns true if every word of the query is the beginning of a word in the text. */
export function matchesWordBeginnings(query: string, text: string): boolean {
  const split = (given: string) => given.split(/[\s\p{Pd}/]+/u).map(toSearchForm)
  const words = [...split(text), ...text.split(/\s+/).map(toSearchForm)]
  return split(query).every((typed) => words.some((word) => word.startsWith(typed)))
}
