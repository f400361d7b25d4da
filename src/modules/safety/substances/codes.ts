import { type Violation, violation } from '#kernel/errors.ts'
import { clpStatementText, HAZARD_STATEMENTS, PRECAUTIONARY_STATEMENTS } from './labels.ts'

interface LabelValues {
  readonly hazardStatements?: readonly string[] | null | undefined
  readonly precautions?: readonly string[] | null | undefined
  readonly casNumbers?: readonly string[] | null | undefined
  readonly sheetDate?: string | null | undefined
}

/** Kind of statement: H and EUH codes, or P codes. */
export type ClpStatementKind = 'hazard' | 'precaution'

const LISTED = {
  hazard: HAZARD_STATEMENTS.map(({ code }) => code),
  precaution: PRECAUTIONARY_STATEMENTS.map(({ code }) => code),
} as const
const EXAMPLES = { hazard: 'H314', precaution: 'P280' } as const
const NAMES = { hazard: 'hazard statement', precaution: 'precautionary statement' } as const

/** Letters after a code: the route or the effect of H350, H360 and H361, and EUH201A and EUH209A. */
const SUFFIX = '(?:(?:FD|DF|F|D|I|A)(?![A-Z]))?'
const FIRST = `(?<![A-Z])(?:EUH|H|P)[ -]?\\d{3}(?!\\d)${SUFFIX}`
/** Further parts of a combination: “+ H312”, or without the letter: “+312” and “/312”. */
const NEXT = `(?: ?\\+ ?(?:(?:EU)?H|P)? ?| ?/ ?(?=\\d))\\d{3}(?!\\d)${SUFFIX}`
const CODES = new RegExp(`${FIRST}(?:${NEXT})*`, 'gi')

/** Abbreviations of hazard classes in sections 2 and 3 of data sheets, which precede a code: “Flam. Liq. 2”. */
const HAZARD_CLASS =
  /(?:^|[\s,;:.(])(?:Unst\. Expl|Expl|Flam|Aerosol|Ox|Press|Self-react|Self-heat|Pyr|Water-react|Org\. Perox|Met\. Corr|Desen|Acute Tox|Skin (?:Corr|Irrit|Sens)|Eye (?:Dam|Irrit)|Resp\. Sens|Muta|Carc|Repr|Lact|STOT (?:SE|RE)|Asp\. Tox|Aquatic (?:Acute|Chronic)|Ozone)\b[a-z.\s]{0,14}\d?[A-G]?[\s:;,(–-]*$/i
const EDGES = new Set(' ,;:.|/&•·*()[]–—-')
/** The beginning of a code that was cut off or mistyped. */
const CUT_CODE = /\b(?:EU)?[HP] ?\d/i
/** Maximum length of unreadable text in an error. */
const SHOWN_CHARACTERS = 80
const NEGATION = /\b(?:not|no|none|never|without)\b/i

/** Codes in a text, and the parts of the text that are neither codes nor words of their statements. */
interface ReadCodes {
  readonly codes: readonly string[]
  readonly unread: readonly string[]
  /** Codes of the other kind of statement. */
  readonly others: readonly string[]
}

/**
 * Reads statement codes from a text, in any case, order and separator: `H302+312`, `h350I`, or lines pasted from a data
 * sheet with the words of each statement. The words are discarded, because the list contains them. All other text is
 * returned as unread.
 */
export function readClpStatementCodes(text: string, kind: ClpStatementKind): ReadCodes {
  const plain = text
    .normalize('NFKC')
    .replace(/\u00ad\s*|[\u200b-\u200d\u2060\ufeff]/g, '')
    .replace(/\s+/g, ' ')
  const found = [...plain.matchAll(CODES)].map(({ 0: written, index }) => ({
    code: listedCode(written),
    start: index,
    end: index + written.length,
  }))
  const gaps = [{ code: '', end: 0 }, ...found].map(({ code, end }, i) =>
    unreadWords(plain.slice(end, found[i]?.start ?? plain.length), code, i < found.length),
  )
  const isOther = (code: string) => code.startsWith('P') !== (kind === 'precaution')
  const codes = [...new Set(found.map(({ code }) => code))]
  return {
    codes: codes.filter((code) => !isOther(code)),
    others: codes.filter(isOther),
    unread: gaps.filter(Boolean),
  }
}

/** Removes punctuation and spaces around a text, in linear time. A closing bracket at the end is retained. */
function trimEdges(text: string): string {
  let [start, end] = [0, text.length]
  while (start < end && EDGES.has(text.charAt(start))) start++
  while (end > start && text.charAt(end - 1) !== ')' && EDGES.has(text.charAt(end - 1))) end--
  return text.slice(start, end)
}

/** Returns the text between two codes without the sentences of the first one's statement. */
function unreadWords(between: string, code: string, isBeforeCode: boolean): string {
  const said = trimEdges(isBeforeCode ? between.replace(HAZARD_CLASS, '') : between)
  if (!said || /^(?:and|or)$/i.test(said)) return ''
  if (!code) return said
  const sentences = said.split(/(?<=[\p{L})][.;:!])\s/u).map(trimEdges)
  return sentences.filter((one) => one && !isTextOf(one, code)).join(' ')
}

const wordsOf = (text: string) => new Set(text.toLowerCase().match(/\p{L}{3,}/gu))

const firstWords = (text: string) =>
  text.split(/[.!]\s|:/).flatMap((one) => /\p{L}+/u.exec(one.toLowerCase())?.[0] ?? [])

/**
 * Returns true if a sentence has the words of the statement, as suppliers complete or shorten them. A sentence with
 * “not” that the statement doesn't contain is never its text: “H350 does not apply”.
 */
function isTextOf(said: string, code: string): boolean {
  const text = [code, ...code.split('+')].map((one) => clpStatementText(one).slice(one.length)).join(' ')
  if (CUT_CODE.test(said) || (NEGATION.test(said) && !NEGATION.test(text))) return false
  const [own, listed] = [wordsOf(said), wordsOf(text)]
  const common = own.intersection(listed).size
  const isCompleted = firstWords(text).includes(firstWords(said)[0] ?? '')
  return own.size > 0 && (listed.size === 0 || isCompleted || common * 2 >= Math.min(own.size, listed.size))
}

/** Returns the code as listed in CLP, regardless of its case and the order of its parts. */
function listedCode(written: string): string {
  const letter = /^(?:EUH|H|P)/i.exec(written)?.[0].toUpperCase() ?? ''
  const parts = [...written.matchAll(/((?:EU)?H|P)?[ -]?(\d{3})([A-Z]*)/gi)].map(
    ([, own, digits, suffix]) => `${own?.toUpperCase() ?? letter}${digits}${suffix}`,
  )
  const listed = letter === 'P' ? LISTED.precaution : LISTED.hazard
  const sorted = (all: readonly string[]) => all.toSorted().join('+')
  const own = sorted(parts)
  const exact = listed.find((code) => sorted(code.split('+')) === own)
  const upper = sorted(parts.map((part) => part.toUpperCase()))
  const alike = listed.find((code) => sorted(code.toUpperCase().split('+')) === upper)
  return exact ?? alike ?? (letter === 'P' ? parts.join('+') : own)
}

/**
 * Normalises codes and removes duplicates. A text with several codes becomes several codes. A text that can't be read
 * completely is returned unchanged, so that it can be shown in its error.
 */
export const normaliseClpStatementCodes = (written: readonly string[], kind: ClpStatementKind) => [
  ...new Set(
    written.flatMap((text) => (clpStatementCodeProblem(text, kind) ? [text] : readClpStatementCodes(text, kind).codes)),
  ),
]

/**
 * Returns the error for text that is not a code; undefined if the text is readable. A well-formed code that is not in
 * the list is accepted because it may be newer than the list, but no approach is proposed for it.
 */
export function clpStatementCodeProblem(text: string, kind: ClpStatementKind): string | undefined {
  const { codes, others, unread } = readClpStatementCodes(text, kind)
  const [other] = others
  if (other) return `“${other}” is a ${NAMES[kind === 'hazard' ? 'precaution' : 'hazard']}. Please enter it there`
  const wrong = unread[0] ?? (codes.length ? undefined : text)
  if (wrong === undefined) return undefined
  const shown = wrong.length > SHOWN_CHARACTERS ? `${wrong.slice(0, SHOWN_CHARACTERS - 1)}…` : wrong
  return `“${shown}” is not a valid statement code. Please enter a code such as ${EXAMPLES[kind]}`
}

const wrongCodes = (path: string, written: readonly string[], kind: ClpStatementKind): Violation[] =>
  written.flatMap((text, i) => {
    const wrong = clpStatementCodeProblem(text, kind)
    return wrong ? [violation(`${path}[${i}]`, wrong)] : []
  })

/** CAS number as written in data sheets, with its check digit as the last part. */
export const CAS_NUMBER = /(?<![\d-])(\d{2,7})-(\d{2})-(\d)(?![\d-])/g

/** Returns true if the check digit of a CAS number is correct. `digits`: both parts before the check digit. */
export function isCasNumber(digits: string, check: string): boolean {
  const sum = digits
    .split('')
    .toReversed()
    .reduce((total, digit, i) => total + Number(digit) * (i + 1), 0)
  return sum % 10 === Number(check)
}

/**
 * Returns an entry as “67-64-1” or “67-64-1 Acetone”; undefined if it has no CAS number, several, or an invalid one.
 */
function readCasNumber(written: string): string | undefined {
  const text = written
    .normalize('NFKC')
    .replace(/[\u2010-\u2015\u2212]/g, '-')
    .replace(/\s+/g, ' ')
    .trim()
  const [found, ...others] = [...text.matchAll(CAS_NUMBER)]
  const [number, a = '', b = '', check = ''] = found ?? []
  if (!found || others.length || !isCasNumber(a + b, check)) return undefined
  const before = trimEdges(text.slice(0, found.index)).replace(/[ (,;:]*\bcas\b.{0,20}$/i, '')
  const name = [before, trimEdges(text.slice(found.index + found[0].length))].filter(Boolean).join(' ')
  return name ? `${number} ${name}` : number
}

/**
 * Normalises CAS numbers. Only the first of several entries with the same number is retained. Entries that can't be
 * read are left unchanged.
 */
export function normaliseCasNumbers(written: readonly string[]): string[] {
  const entries = written.map((text) => readCasNumber(text) ?? text)
  const numberOf = (entry: string) => entry.split(' ')[0]
  return entries.filter((entry, i) => entries.findIndex((one) => numberOf(one) === numberOf(entry)) === i)
}

/** Returns the error for an entry without a correct CAS number. */
export const casNumberProblem = (text: string): string | undefined =>
  readCasNumber(text) === undefined
    ? `“${text.slice(0, SHOWN_CHARACTERS)}” has no valid CAS number. Please check it against the data sheet. A CAS number looks like 67-64-1`
    : undefined

/** Validates a substance's label values. `at` is the path of the substance for errors. */
export const validateSubstanceLabel = (
  { hazardStatements, precautions, casNumbers, sheetDate }: LabelValues,
  today: string,
  at = '',
): Violation[] => [
  ...wrongCodes(`${at}hazardStatements`, hazardStatements ?? [], 'hazard'),
  ...wrongCodes(`${at}precautions`, precautions ?? [], 'precaution'),
  ...(casNumbers ?? []).flatMap((text, i) => {
    const wrong = casNumberProblem(text)
    return wrong ? [violation(`${at}casNumbers[${i}]`, wrong)] : []
  }),
  ...(sheetDate && sheetDate.slice(0, 10) > today
    ? [violation(`${at}sheetDate`, 'The date of the data sheet can’t be in the future')]
    : []),
]
