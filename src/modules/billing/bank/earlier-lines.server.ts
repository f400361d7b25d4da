import { hash } from 'node:crypto'
import type { Currency } from '#kernel/money.ts'
import { mapInSlices } from '#server/slices.ts'
import type { BankStatementLine } from './statement-lines.ts'

/**
 * Returns a key for each line. Lines with the same day, amount and text are numbered, so that the same lines in another
 * file get the same keys.
 */
export function computeBankStatementLineKeys(
  lines: readonly BankStatementLine[],
  currency: Currency,
): Promise<string[]> {
  const seen = new Map<string, number>()
  return mapInSlices(lines, (line) => {
    const { day, amount, reference, payer, bankId } = line
    const text = [reference.toLowerCase(), payer.toLowerCase(), ...(bankId ? [bankId] : [])]
    const same = JSON.stringify([line.currency ?? currency, day, amount, ...text])
    const nth = (seen.get(same) ?? 0) + 1
    seen.set(same, nth)
    return hash('sha256', `${same} ${nth}`, 'base64url')
  })
}

/** A line of an earlier statement. */
export interface EarlierBankLine {
  readonly key: string
  readonly bankId: string
  readonly day: string
  readonly amount: number
  readonly currency: Currency
  readonly reference: string
  readonly payer: string
  /** Name of the statement's file. */
  readonly statement: string
}

/** Whether a line is new, in an earlier statement, or similar to a line of an earlier statement. */
type Repeat = 'new' | 'known' | { readonly similarTo: EarlierBankLine }

/** Words that say nothing about the payer or the purpose. */
const COMMON_WORDS = new Set(
  'limited ltd plc llp cic company the and with from for inv invoice invoices ref reference payment payments paid thanks fps bgc bacs chaps faster transfer credit bank'.split(
    ' ',
  ),
)
const plainText = ({ payer, reference }: Pick<BankStatementLine, 'payer' | 'reference'>) =>
  `${payer} ${reference}`
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

/** Maximum number of words that are compared in each text. */
const MAX_WORDS = 30
const wordsOf = (text: string) =>
  text
    .split(' ')
    .filter((word) => word.length > 2 && !COMMON_WORDS.has(word))
    .slice(0, MAX_WORDS)

/**
 * Returns true if the words of two texts may describe the same payment: one text has no words, or half of the shorter
 * text's words occur in the other, possibly cut short. Texts with different numbers describe different payments.
 */
function areWordsSimilar(one: readonly string[], other: readonly string[]): boolean {
  const [few = [], many = []] = [one, other].toSorted((a, b) => a.length - b.length)
  if (few.length === 0) return true
  const [numbers, others] = [few, many].map((words) => words.filter((word) => /^\d+$/.test(word)))
  if (numbers?.length && others?.length && !numbers.some((n) => others.includes(n))) return false
  const isCut = (word: string, w: string) => word.length > 3 && (w.startsWith(word) || word.startsWith(w))
  return few.filter((word) => many.some((w) => w === word || isCut(word, w))).length * 2 >= few.length
}

/** Values of a new or an earlier line that are compared. */
type ComparedLine = Pick<BankStatementLine, 'day' | 'amount' | 'currency' | 'payer' | 'reference'>

/** Maximum number of earlier lines of the same day and amount whose text is compared with that of one line. */
const MAX_COMPARED = 20

/**
 * Compares lines with those of earlier statements. A line is known if an earlier one has the same key or the same bank
 * ID, or the same day, amount and text unless their bank IDs differ, so that a payment is recognised in another format
 * from the same bank. Each earlier line matches only one new line.
 */
export async function compareWithEarlierLines(
  lines: readonly BankStatementLine[],
  keys: readonly string[],
  currency: Currency,
  earlier: readonly EarlierBankLine[],
): Promise<Repeat[]> {
  const repeats: Repeat[] = lines.map(() => 'new')
  if (!earlier.length) return repeats
  const left = new Set(earlier)
  const money = (line: ComparedLine) => `${line.currency ?? currency} ${line.day} ${line.amount}`
  const texts = new Map<ComparedLine, { readonly plain: string; readonly words: readonly string[] }>()
  const moneyOfEarlier = new Set(earlier.map(money))
  for (const all of [lines, earlier])
    await mapInSlices(all, (line: ComparedLine) => {
      if (!moneyOfEarlier.has(money(line))) return
      const plain = plainText(line)
      texts.set(line, { plain, words: wordsOf(plain) })
    })
  const moneyAndText = (line: ComparedLine) => `${money(line)} ${texts.get(line)?.plain}`
  const areSimilar = (one: ComparedLine, other: ComparedLine) =>
    areWordsSimilar(texts.get(one)?.words ?? [], texts.get(other)?.words ?? [])
  /** Matches an earlier line to each new line with the same token. */
  const take = async (
    tokenOf: (line: BankStatementLine, n: number) => string | undefined,
    tokenOfEarlier: (e: EarlierBankLine) => string | undefined,
    result: (line: BankStatementLine, candidates: readonly EarlierBankLine[]) => EarlierBankLine | undefined,
    repeatOf: (e: EarlierBankLine) => Repeat,
  ) => {
    const byToken = Map.groupBy(left, tokenOfEarlier)
    await mapInSlices(lines, (line, n) => {
      const token = repeats[n] === 'new' ? tokenOf(line, n) : undefined
      const candidates = token === undefined ? undefined : byToken.get(token)
      const found = candidates?.length ? result(line, candidates) : undefined
      if (!found) return
      candidates?.splice(candidates.indexOf(found), 1)
      left.delete(found)
      repeats[n] = repeatOf(found)
    })
  }
  const any = (_line: BankStatementLine, [first]: readonly EarlierBankLine[]) => first
  const known = (): Repeat => 'known'
  await take(
    (_line, n) => keys[n],
    ({ key }) => key,
    any,
    known,
  )
  await take(
    (line) => (line.bankId ? `${money(line)} ${line.bankId}` : undefined),
    (e) => (e.bankId ? `${money(e)} ${e.bankId}` : undefined),
    any,
    known,
  )
  await take((line) => (line.bankId ? undefined : moneyAndText(line)), moneyAndText, any, known)
  await take(moneyAndText, (e) => (e.bankId ? undefined : moneyAndText(e)), any, known)
  await take(
    money,
    money,
    (line, candidates) => candidates.slice(0, MAX_COMPARED).find((e) => areSimilar(line, e)),
    (similarTo) => ({ similarTo }),
  )
  return repeats
}
