import { createRequire } from 'node:module'
import type { Tokenizer } from 'htmlparser2'
import type { StatementMapping } from './bank-line.ts'
import { type CsvColumns, parseBankStatement } from './statement-csv.ts'
import { collectBankLines, type ParsedBankStatement, type RawBankLine } from './statement-lines.ts'

// OFX and CAMT.053 are read from the tokens of htmlparser2, which expands no entities of the file and keeps no stack.
// QIF and MT940 are lists of lines; the packages for them are not maintained.

// Loaded with the first such file, because its entity tables are large.
let tokenizer: typeof Tokenizer | undefined

type Attributes = Readonly<Record<string, string>>

interface MarkupReader {
  open(tag: string, attributes: Attributes): void
  /** Called for the end of an element, with its text since the last tag. */
  close(tag: string): void
  text(text: string): void
}

/** Reads SGML or XML in one pass. Tags are passed without their namespace. */
function readMarkup(markup: string, reader: MarkupReader): void {
  tokenizer ??= (createRequire(import.meta.url)('htmlparser2') as { Tokenizer: typeof Tokenizer }).Tokenizer
  let tag = ''
  let name = ''
  let attributes: Record<string, string> = {}
  const bare = (start: number, end: number) => markup.slice(start, Math.min(end, start + 100)).replace(/^.*:/, '')
  const parser = new tokenizer(
    { xmlMode: true, decodeEntities: true },
    {
      onopentagname: (start, end) => {
        tag = bare(start, end)
        attributes = {}
      },
      onattribname: (start, end) => {
        name = bare(start, end)
      },
      onattribdata: (start, end) => {
        attributes[name] = (attributes[name] ?? '') + markup.slice(start, Math.min(end, start + 100))
      },
      onopentagend: () => reader.open(tag, attributes),
      onselfclosingtag: () => {
        reader.open(tag, attributes)
        reader.close(tag)
      },
      onclosetag: (start, end) => reader.close(bare(start, end)),
      ontext: (start, end) => reader.text(markup.slice(start, end)),
      ontextentity: (codepoint) => reader.text(String.fromCodePoint(codepoint)),
      oncdata: (start, end, endOffset) => reader.text(markup.slice(start, end - endOffset)),
      onattribentity: () => {},
      onattribend: () => {},
      oncomment: () => {},
      ondeclaration: () => {},
      onprocessinginstruction: () => {},
      onend: () => {},
    },
  )
  parser.write(markup)
  parser.end()
}

/** Adapts a decimal with any number of places, and a comma or a point, to the amounts of CSV files. */
const plainDecimal = (text = ''): string =>
  text
    .trim()
    .replace(/,(\d*)$/, '.$1')
    .replace(/(\.\d\d)0+$/, '$1')
    .replace(/\.$/, '')

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
    found.push({
      day: DTPOSTED.slice(0, 8),
      amount: plainDecimal(TRNAMT),
      isOut: /^debit$/i.test(TRNTYPE),
      currency: record.CURSYM ?? account.CURDEF,
      status: record.status ?? '',
      payer: NAME || EXTDNAME,
      reference: MEMO || REFNUM,
      bankId: FITID && `${account.ACCTID ?? ''}/${FITID}`,
    })
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

interface XmlElement {
  readonly tag: string
  readonly attributes: Attributes
  readonly children: XmlElement[]
  text: string
}

/** Maximum depth of elements. CAMT.053 has less than twenty. */
const MAX_DEPTH = 60

function parseXml(text: string): XmlElement {
  const root: XmlElement = { tag: '', attributes: {}, children: [], text: '' }
  const open = [root]
  const invalid = new Error('This XML file is damaged: its elements are not closed in order. Download it again')
  readMarkup(text, {
    open: (tag, attributes) => {
      if (open.length > MAX_DEPTH) throw invalid
      const element: XmlElement = { tag, attributes, children: [], text: '' }
      open.at(-1)?.children.push(element)
      open.push(element)
    },
    text: (more) => {
      const last = open.at(-1)
      if (last) last.text += more
    },
    close: (tag) => {
      if (open.length < 2 || open.pop()?.tag !== tag) throw invalid
    },
  })
  if (open.length > 1) throw invalid
  return root
}

/** Returns the elements at a path, such as `NtryDtls/TxDtls`. */
const elementsAt = (from: XmlElement, path: string): XmlElement[] =>
  path.split('/').reduce((all, tag) => all.flatMap(({ children }) => children.filter((c) => c.tag === tag)), [from])
/** Returns the text at the first of the paths that has any. */
const textAt = (from: XmlElement, ...paths: string[]): string => {
  for (const path of paths) {
    const text = elementsAt(from, path)
      .map((e) => e.text.trim())
      .filter(Boolean)
      .join(' ')
    if (text) return text
  }
  return ''
}

function parseCamt(text: string): RawBankLine[] {
  const [statements] = elementsAt(parseXml(text), 'Document/BkToCstmrStmt')
  if (!statements) throw new Error('This CAMT.053 file contains no bank statement. Download it again')
  return elementsAt(statements, 'Stmt').flatMap((statement) => {
    const account = textAt(statement, 'Acct/Id/IBAN', 'Acct/Id/Othr/Id')
    return elementsAt(statement, 'Ntry').flatMap((entry) => camtLines(entry, account, textAt(statement, 'Acct/Ccy')))
  })
}

/** Returns the lines of an entry: one for each payment of a batch, if their amounts add up to the entry's amount. */
function camtLines(entry: XmlElement, account: string, accountCurrency: string): RawBankLine[] {
  const [total] = elementsAt(entry, 'Amt')
  const amountOf = (of: XmlElement) => elementsAt(of, 'Amt')[0] ?? elementsAt(of, 'AmtDtls/TxAmt/Amt')[0]
  const payments = elementsAt(entry, 'NtryDtls/TxDtls')
  const amounts = payments.map(amountOf)
  const sum = amounts.reduce((n, one) => n + Number(one?.text), 0)
  const isBatch =
    payments.length > 1 &&
    amounts.every((one) => one?.attributes.Ccy === total?.attributes.Ccy) &&
    Math.abs(sum - Number(total?.text)) < 0.001
  const lineOf = (payment: XmlElement, amount: XmlElement | undefined, n: number): RawBankLine => {
    const isOut = textAt(payment, 'CdtDbtInd') || textAt(entry, 'CdtDbtInd')
    const party = isOut === 'DBIT' ? 'Cdtr' : 'Dbtr'
    const endToEnd = textAt(payment, 'Refs/EndToEndId')
    const id = textAt(payment, 'Refs/AcctSvcrRef') || textAt(entry, 'AcctSvcrRef')
    return {
      day: textAt(entry, 'BookgDt/Dt', 'BookgDt/DtTm', 'ValDt/Dt', 'ValDt/DtTm').slice(0, 10),
      amount: /^(?:CRDT|DBIT)$/.test(isOut) ? plainDecimal(amount?.text) : '',
      isOut: isOut === 'DBIT',
      currency: amount?.attributes.Ccy ?? (accountCurrency || undefined),
      status: textAt(entry, 'Sts/Cd', 'Sts'),
      payer: textAt(payment, `RltdPties/${party}/Nm`, `RltdPties/${party}/Pty/Nm`, `RltdPties/Ultmt${party}/Nm`),
      reference:
        textAt(payment, 'RmtInf/Ustrd', 'RmtInf/Strd/CdtrRefInf/Ref') ||
        (endToEnd && endToEnd !== 'NOTPROVIDED' ? endToEnd : textAt(payment, 'AddtlTxInf')) ||
        textAt(entry, 'AddtlNtryInf'),
      bankId: id && `${account}/${id}${isBatch ? `/${n + 1}` : ''}`,
    }
  }
  if (isBatch) return payments.map((payment, n) => lineOf(payment, amounts[n], n))
  const [only = entry] = payments
  return [lineOf(payments.length > 1 ? entry : only, total, 0)]
}

function parseQif(text: string): RawBankLine[] {
  const found: RawBankLine[] = []
  let record: Record<string, string> = {}
  let isAccount = false
  const finish = () => {
    const { D = '', T, U, P = '', M = '', N = '' } = record
    const day = D.replaceAll(' ', '').replace(/['’]/, '/')
    if (!isAccount && (D || T || U)) found.push({ day, amount: T ?? U ?? '', payer: P, reference: M || N })
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

/** Parses MT940. A reversal of money in (`RC`) is money out, and the other way round. */
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
    found.push({
      day: `${2000 + Number(date.slice(0, 2)) + turn}${entry || date.slice(2)}`,
      amount: plainDecimal(amount),
      isOut: mark === 'D' || mark === 'RC',
      currency,
      payer: written.payer,
      reference: written.reference || (/^NONREF$/i.test(reference) ? '' : reference),
    })
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
    else found.push('The field :61: can’t be read')
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
  /** Returns the mapping that a person has chosen for the columns of a CSV file, if any. */
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
