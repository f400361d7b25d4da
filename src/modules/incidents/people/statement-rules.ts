import { removeInvisibleCharacters } from '#kernel/text.ts'

export const MAX_STATEMENT_WORDS = 20_000
/** Maximum length of a statement in characters, enough for 20,000 words. */
export const MAX_STATEMENT_CHARACTERS = 200_000
/** Maximum number of lines in a statement, so that the accident record can be printed. */
const MAX_STATEMENT_LINES = 5000

/** Returns the reason why a statement can't be accepted; undefined if it can. */
export function statementProblem(statement: string): string | undefined {
  if (!removeInvisibleCharacters(statement).trim()) return 'Please write down what you saw and heard'
  const words = countWords(statement)
  if (words > MAX_STATEMENT_WORDS)
    return `A statement has at most ${MAX_STATEMENT_WORDS.toLocaleString('en-GB')} words. Yours has ${words.toLocaleString('en-GB')}. Please shorten it`
  return statement.length > MAX_STATEMENT_CHARACTERS
    ? `A statement has at most ${MAX_STATEMENT_CHARACTERS.toLocaleString('en-GB')} characters. Yours has ${statement.length.toLocaleString('en-GB')}. Please shorten it`
    : statementLinesProblem(statement)
}

/** Returns the problem with a statement that has too many lines to be printed; undefined if there is none. */
export function statementLinesProblem(statement: string): string | undefined {
  const lines = statement.split(/\r\n|[\n\r\v\f\u0085\u2028\u2029]/).length
  return lines > MAX_STATEMENT_LINES
    ? `A statement has at most ${MAX_STATEMENT_LINES.toLocaleString('en-GB')} lines. This has ${lines.toLocaleString('en-GB')}. Please remove empty lines`
    : undefined
}

export const countWords = (text: string): number => text.match(/\S+/g)?.length ?? 0

interface Place {
  readonly addressLine1: string
  readonly city: string
  readonly internalLocation: string
}

/** Returns an incident's place as shown to its witness: the site or address, with the exact location. */
export const witnessPlace = ({ addressLine1, city, internalLocation }: Place, site: string | undefined): string =>
  [site ?? [addressLine1, city].filter(Boolean).join(', '), internalLocation].filter(Boolean).join(', ')

interface LinkFacts {
  readonly request: { readonly state: string; readonly until: string }
  readonly person: { readonly retired: boolean; readonly recordType: string | null }
  readonly report: { readonly retired: boolean; readonly state: string }
  readonly company: string
  /** Day in London. */
  readonly today: string
}

/** Returns the reason why a link no longer shows anything; empty if it shows the request or the received statement. */
export function formatClosedLinkSentence({ request, person, report, company, today }: LinkFacts): string {
  if (request.state === 'withdrawn')
    return `${company} has withdrawn this link. If you have a later e-mail, please use its link. Otherwise ask ${company}.`
  if (request.until < today) return `This link has expired. If you need a new one, please ask ${company}.`
  if (report.retired || person.retired || person.recordType !== 'WT')
    return `${company} no longer asks you for a statement. You don’t need to do anything.`
  return request.state === 'open' && report.state === 'closed'
    ? `${company} has closed its investigation. You don’t need to do anything.`
    : ''
}
