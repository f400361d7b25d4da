import type { StatementMapping } from './bank-line.ts'
import { parseCamt } from './statement-camt.ts'
import { type CsvColumns, parseBankStatement } from './statement-csv.ts'
import {
  collectBankLines,
  type ParsedBankStatement,
  plainDecimal,
  type RawBankLine,
  refuseTooManyLines,
} from './statement-lines.ts'
import { readMarkup } from './statement-markup.ts'

// QIF and MT940 are lists of lines; no maintained package parses them.

/** Parses OFX 1.x (SGML, in which values have no end tags) and OFX 2.x (XML). */
function parseOfx(text: string): RawBankLine[] {
  const found: RawBankLine[] = []
  const account: Record<string, string> = {}
  let record: Record<string, string> | undefined
  let tag = ''
  let value = ''
  let hasStatement = false
  /** True within the original currency of a converted payment, which is not the currency of the amount. */
  let isOriginal = false
  const flush = () => {
    const into = record ?? account
    if (value.trim() && tag) into[tag] ??= value.trim().slice(0, 1000)
    tag = ''
    value = ''
  }
  const finish = () => {
    if (!record) return
    const { DTPOSTED = '', TRNAMT, TRNTYPE = '', NAME = '', EXTDNAME = '', MEMO = '', REFNUM = '', FITID } = record
    const line = {
      day: DTPOSTED.slice(0, 8),
      amount: plainDecimal(TRNAMT),
      isOut: /^debit$/i.test(TRNTYPE),
      currency: record.CURSYM ?? account.CURDEF,
      status: record.status ?? '',
      payer: NAME || EXTDNAME,
      reference: MEMO || REFNUM,
      bankId: FITID && `${account.ACCTID ?? ''}/${FITID}`,
    }
    refuseTooManyLines(found.push(line))
    record = undefined
  }
  readMarkup(text, {
    open: (given) => {
      flush()
      tag = given.toUpperCase()
      if (/^(?:CC)?STMTRS$/.test(tag)) {
        hasStatement = true
        delete account.CURDEF
        delete account.ACCTID
      }
      if (tag === 'CURRENCY' || tag === 'ORIGCURRENCY') isOriginal = tag === 'ORIGCURRENCY'
      if (tag === 'CURSYM' && isOriginal) tag = ''
      if (tag !== 'STMTTRN' && tag !== 'STMTTRNP') return
      finish()
      record = tag === 'STMTTRNP' ? { status: 'Pending' } : {}
    },
    text: (more) => {
      if (value.length < 1000) value += more
    },
    close: (given) => {
      flush()
      if (/^STMTTRNP?$/i.test(given)) finish()
    },
  })
  flush()
  finish()
  if (!hasStatement) throw new Error('This OFX file contains no bank statement. Choose the statement of an account')
  return found
}

function parseQif(text: string): RawBankLine[] {
  const found: RawBankLine[] = []
  let record: Record<string, string> = {}
  let isAccount = false
  const finish = () => {
    const { D = '', T, U, P = '', M = '', N = '' } = record
    const day = D.replaceAll(' ', '').replace(/['’]/, '/')
    if (!isAccount && (D || T || U))
      refuseTooManyLines(found.push({ day, amount: T ?? U ?? '', payer: P, reference: M || N }))
    record = {}
  }
  for (const line of text.split(/\r\n|\n|\r/)) {
    const [, section] = /^!(.*)/.exec(line) ?? []
    if (section !== undefined) {
      if (/^type:(?:invst|memorized|cat|class|security|prices)/i.test(section))
        throw new Error('This QIF file contains no bank statement. Choose the statement of a bank account')
      if (/^(?:account|type:)/i.test(section)) isAccount = /^account/i.test(section)
    } else if (line.startsWith('^')) finish()
    else if (line) record[line.charAt(0).toUpperCase()] ??= line.slice(1, 1000).trim()
  }
  finish()
  return found
}

const MT940_LINE =
  /^(\d{6})(\d{4})?(RC|RD|C|D)([A-Z])?(\d{1,15},\d{0,2})([A-Z][A-Z\d]{3})([^/]{0,200})(?:\/\/(.{0,200}))?$/

/** Parses MT940. A reversal of money in (`RC`) is money out, and vice versa. */
function parseMt940(text: string): (RawBankLine | string)[] {
  const found: (RawBankLine | string)[] = []
  let currency: string | undefined
  let last: { line: RegExpExecArray; text: string } | undefined
  const finish = () => {
    if (!last) return
    const [, date = '', entry = '', mark = '', , amount, , reference = ''] = last.line
    const [month, valueMonth] = [entry.slice(0, 2) || date.slice(2, 4), date.slice(2, 4)]
    // The entry date has no year: around New Year, it may be in the year before or after the value date's.
    const turn = month === '12' && valueMonth === '01' ? -1 : month === '01' && valueMonth === '12' ? 1 : 0
    const written = mt940Text(last.text)
    const line = {
      day: `${2000 + Number(date.slice(0, 2)) + turn}${entry || date.slice(2)}`,
      amount: plainDecimal(amount),
      isOut: mark === 'D' || mark === 'RC',
      currency,
      payer: written.payer,
      reference: written.reference || (/^NONREF$/i.test(reference) ? '' : reference),
    }
    refuseTooManyLines(found.push(line))
    last = undefined
  }
  for (const field of text.replace(/\r\n?/g, '\n').split(/\n(?=:\d\d[A-Z]?:|-\}?\s*(?:\n|$))/)) {
    const [, tag, value = ''] = /^\s*(?:\{.*\}\{4:\s*)?:(\d\d[A-Z]?):([\s\S]*)/.exec(field.slice(0, 4000)) ?? []
    if (tag === '86') {
      if (last) last.text = value
      continue
    }
    finish()
    if (tag === '60F' || tag === '60M') currency = /^[CD]\d{6}([A-Z]{3})/.exec(value)?.[1]
    if (tag !== '61') continue
    const line = MT940_LINE.exec(value.split('\n')[0]?.trim() ?? '')
    if (line) last = { line, text: '' }
    else refuseTooManyLines(found.push('The field :61: can’t be read'))
  }
  finish()
  return found
}

/** Splits the text of a payment (`:86:`), which may be plain or have subfields (`?20…?32…`, `/NAME/…/REMI/…`). */
function mt940Text(text: string): { payer: string; reference: string } {
  const joined = text.replace(/\n/g, '')
  if (/^\d{3}\?/.test(joined)) {
    const parts = joined.split('?').map((part) => [Number(part.slice(0, 2)), part.slice(2)] as const)
    const join = (from: number, to: number) =>
      parts.flatMap(([n, part]) => (n >= from && n <= to ? [part] : [])).join('')
    return { payer: join(32, 33), reference: `${join(20, 29)}${join(60, 63)}` }
  }
  const codes = new Map(
    [...joined.matchAll(/\/([A-Z]{3,4})\/([^/]*)/g)].map(([, code = '', value = '']) => [code, value]),
  )
  if (joined.startsWith('/') && codes.has('NAME'))
    return { payer: codes.get('NAME') ?? '', reference: codes.get('REMI') ?? codes.get('EREF') ?? '' }
  return { payer: '', reference: text.replace(/\n/g, ' ') }
}

const CHOOSE = 'choose CSV, OFX, QIF, CAMT.053 or MT940 in your bank’s download.'
/** Formats that can't be imported, by the bytes at the beginning of the file, with what to do instead. */
const UNSUPPORTED_BYTES: readonly (readonly [string, string])[] = [
  ['%PDF', `This is a PDF document: ${CHOOSE}`],
  ['PK\u0003\u0004', 'This is a ZIP archive: unpack it and choose the file inside.'],
  ['\u001f\u008b', 'This is a compressed file: unpack it and choose the file inside.'],
  ['\u00d0\u00cf\u0011\u00e0', 'This is an old Excel workbook: open it, save it as CSV and choose the CSV file.'],
  ...['\u0089PNG', 'GIF8', '\u00ff\u00d8\u00ff', 'RIFF', 'II*'].map(
    (start) => [start, `This is a picture: ${CHOOSE}`] as const,
  ),
]
const UNSUPPORTED_TEXTS: readonly (readonly [RegExp, string])[] = [
  [/^\{\\rtf/, `This is a word-processing document (RTF): ${CHOOSE}`],
  [/^\s*[[{]\s*["{[\]}]/, `This is a JSON file: ${CHOOSE}`],
  [
    /^\s*(?:<\?xml[^>]*>\s*)?(?:<!--[\s\S]{0,500}?-->\s*)?<(?:!doctype\s+html|html|table|head|body)\b/i,
    `This is a web page (HTML): ${CHOOSE}`,
  ],
]

/**
 * Throws an error with the name of the format if a file can't be imported. `head` is the beginning of the file, one
 * character for each byte, or as text in which U+FFFD replaces bytes that are not text.
 */
export function refuseUnsupportedFormat(head: string): void {
  const begins = (start: string) =>
    start.split('').every((c, n) => head[n] === c || (c > '\u007f' && head[n] === '\ufffd'))
  const isWorkbook = begins('PK\u0003\u0004') && /xl\/|\[Content_Types\]/.test(head)
  if (isWorkbook) throw new Error('This is an Excel workbook: open it, save it as CSV and choose the CSV file.')
  const found = UNSUPPORTED_BYTES.find(([start]) => begins(start))
  if (found) throw new Error(found[1])
  const text = UNSUPPORTED_TEXTS.find(([start]) => start.test(head))
  if (text) throw new Error(text[1])
}

const CAMT_MESSAGES: readonly (readonly [RegExp, string])[] = [
  [/camt\.052|BkToCstmrAcctRpt/, 'a CAMT.052 report'],
  [/camt\.054|BkToCstmrDbtCdtNtfctn/, 'a CAMT.054 notification'],
]

interface StatementOptions {
  /** Character between the values of a CSV file. */
  readonly delimiter: string
  readonly today: string
  /** Returns the mapping that the user has chosen for the columns of a CSV file, if any. */
  readonly mappingOf?: (columns: CsvColumns) => StatementMapping | undefined
}

/**
 * Parses a statement in any supported format, which is detected by its content. Throws an error with a message for the
 * user if the file can't be read.
 */
export function parseStatement(text: string, { delimiter, today, mappingOf }: StatementOptions): ParsedBankStatement {
  const head = text.slice(0, 3000).replace(/^\ufeff/, '')
  refuseUnsupportedFormat(head)
  const collect = (lines: readonly (RawBankLine | string)[]) =>
    collectBankLines(
      lines.map((line, n) => [n + 1, line]),
      today,
    )
  if (/^\s*OFXHEADER\s*:|<\?OFX\b|<OFX>/i.test(head)) return collect(parseOfx(text))
  if (/^\s*!(?:type|account|option|clear)/i.test(head)) return collect(parseQif(text))
  if (/^\s*(?:\{1:|:20:)/.test(head) && /^:6[01][A-Z]?:/m.test(text)) return collect(parseMt940(text))
  if (/^\s*<(?:\?xml|[\w:]*Document\b|!)/.test(head)) {
    if (/camt\.053|BkToCstmrStmt/.test(head)) return collect(parseCamt(text))
    const name = CAMT_MESSAGES.find(([pattern]) => pattern.test(head))?.[1] ?? 'an XML file of another kind'
    throw new Error(`This is ${name}: ${CHOOSE}`)
  }
  return parseBankStatement(text, delimiter, today, mappingOf)
}
