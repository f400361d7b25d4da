import { CAS_NUMBER, isCasNumber, readClpStatementCodes } from '../substances/codes.ts'
import { clpStatementText } from '../substances/labels.ts'
import { isHeading, joinLines, type SheetProposal, sourceOf } from './sheet-labels.ts'
import type { SheetLine } from './sheet-lines.ts'

/** Maximum number of codes that are read, including repeated ones. */
const MAX_CODES = 400
const MAX_CODE_LINES = 3
const MAX_CAS_NUMBERS = 40

const HAS_CODE = /(?:EUH|H|P)[ -]?\d/i
/** Beginning of a code at the end of a line, with a hyphen if the PDF hyphenated the code. */
const CUT_CODE = /(?:^|[^a-z])(?:(?:EU)?H|P)[ -]?(\d{0,2})[-\u00ad]?$/i
const UNCLASSIFIED =
  /\b(?:not (?:been )?classified(?! as an? | for )|is not (?:a )?(?:hazardous|dangerous)|does not meet the criteria|no classification|not a hazardous|not hazardous)\b/i
const NEGATION = /\b(?:not|no|none|never|without)\b/i

const UNCLASSIFIED_NOTE =
  'This line may be about something else, such as the environment. Use it only if section 2 says that the product is not hazardous to health.'

/** Finds the codes on the label. Codes in section 3 belong to the ingredients and are not read. */
export function proposeStatements(lines: readonly SheetLine[]): SheetProposal[] {
  const label = lines.filter(({ part }) => part === 2)
  const found = readCodes(label)
  const codes = found.some(({ field }) => field === 'hazardStatements') ? found : readCodes(lines)
  const none = codes.some(({ field }) => field === 'hazardStatements')
    ? undefined
    : lines.find(({ text }) => UNCLASSIFIED.test(text))
  return none ? [...codes, { field: 'unclassified', value: true, ...sourceOf([none]), note: UNCLASSIFIED_NOTE }] : codes
}

function readCodes(lines: readonly SheetLine[]): SheetProposal[] {
  const found = new Map<string, SheetProposal>()
  let count = 0
  for (const [i, line] of lines.entries()) {
    if (count >= MAX_CODES) break
    const joined = joinCutCodes(lines, i)
    const text = joinLines(joined.map((one) => one.text))
    if (!HAS_CODE.test(text)) continue
    const { codes, others, unread } = readClpStatementCodes(text, 'hazard')
    count += codes.length + others.length
    const isNegated = unread.some((words) => NEGATION.test(words))
    for (const code of [...codes, ...others]) {
      // A code that continues the previous line's combination has been read with that line.
      const parts = code.split('+')
      const isPart = [...found.keys()].some(
        (known) => known !== code && parts.every((one) => known.split('+').includes(one)),
      )
      if (found.has(code) || (isPart && i > 0 && continuesCode(lines[i - 1], line))) continue
      found.set(code, {
        field: code.startsWith('P') ? 'precautions' : 'hazardStatements',
        value: code,
        ...sourceOf(joined),
        ...noteOnCode(code, isNegated),
      })
    }
  }
  return [...found.values()]
}

function noteOnCode(code: string, isNegated: boolean): Pick<SheetProposal, 'note'> {
  if (isNegated) return { note: 'The line contains a word such as “not” or “no”. Check whether the statement applies.' }
  return clpStatementText(code) === code ? { note: 'This code is not in the GB CLP list. Check it.' } : {}
}

/** Returns true if a line ends in the middle of a code, whose other digits begin the next line. */
function isCodeCut(line: SheetLine, next: SheetLine): boolean {
  const digits = CUT_CODE.exec(line.text.slice(-9))?.[1]
  const rest = /^\d{1,3}(?!\d)/.exec(next.text)?.[0]
  return digits !== undefined && rest !== undefined && digits.length + rest.length === 3
}

/** Returns true if a code or a combination of codes continues in the next line. */
function continuesCode(line: SheetLine | undefined, next: SheetLine | undefined): boolean {
  if (!line || !next) return false
  const isJoined = /[+/] ?\u00ad?$/.test(line.text) || /^ ?\+/.test(next.text)
  return (isJoined && HAS_CODE.test(line.text)) || isCodeCut(line, next)
}

/** Returns a line with the lines in which its last code continues. */
function joinCutCodes(lines: readonly SheetLine[], at: number): SheetLine[] {
  const joined = lines.slice(at, at + 1)
  while (joined.length < MAX_CODE_LINES && continuesCode(joined.at(-1), lines[at + joined.length])) {
    const next = lines[at + joined.length]
    const last = joined.at(-1)
    if (!next || !last) break
    if (isCodeCut(last, next))
      joined[joined.length - 1] = { ...last, text: `${last.text.replace(/[-\u00ad]{1,2}$/, '')}\u00ad` }
    joined.push(next)
  }
  return joined
}

const CUT_CAS = /(?<![\d-])\d{2,7}-(?:\d{2}-?)?\u00ad?$/

/** Finds the CAS numbers with a correct check digit, each with the name of its ingredient. */
export function proposeCasNumbers(lines: readonly SheetLine[]): SheetProposal[] {
  const found: SheetProposal[] = []
  for (const [i, line] of lines.entries()) {
    if (found.length >= MAX_CAS_NUMBERS) break
    const next = lines[i + 1]
    const isCut = next !== undefined && CUT_CAS.test(line.text.slice(-14)) && /^[\d-]{1,4}(?![\d-])/.test(next.text)
    const from = isCut ? [line, next] : [line]
    const text = isCut ? `${line.text.replaceAll('\u00ad', '')}${next.text}` : line.text
    for (const match of text.matchAll(CAS_NUMBER)) {
      const [number, a = '', b = '', check = ''] = match
      if (!isCasNumber(a + b, check)) continue
      const name = ingredientName(text.slice(0, match.index)) || ingredientName(lines[i - 1]?.text ?? '')
      found.push({ field: 'casNumbers', value: name ? `${number} ${name}` : number, ...sourceOf(from) })
    }
  }
  return found
}

/** Returns the name of an ingredient before its CAS number, without the labels of other numbers. */
function ingredientName(before: string): string {
  const cell = before.split('\t').find((one) => /\p{L}{3}/u.test(one) && !/^(?:cas|ec|index|reach)\b/i.test(one)) ?? ''
  const name = cell
    .replace(/^(?:chemical name|substance name|ingredient|component|name|substance) ?:? /i, '')
    .replace(/[ (,;:]{0,3}\b(?:cas|ec|index)\b.{0,20}$/i, '')
    .replace(/[ ,;:(|-]{1,5}$/, '')
    .trim()
  return /\p{L}{3}/u.test(name) && name.length <= 100 && !isHeading({ text: name } as SheetLine) ? name : ''
}
