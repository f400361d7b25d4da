import { plainDecimal, type RawBankLine, refuseTooManyLines } from './statement-lines.ts'
import { type Attributes, readMarkup } from './statement-markup.ts'

interface XmlElement {
  readonly tag: string
  readonly attributes: Attributes
  readonly children: XmlElement[]
  text: string
}

/** Maximum depth of elements. CAMT.053 has fewer than twenty. */
const MAX_DEPTH = 60
/** Maximum number of characters of an element's text that are read. */
const MAX_TEXT_LENGTH = 1000
/** Names of the elements that may become lines: an entry, and a payment in an entry. */
const LINE_TAGS = ['Ntry', 'TxDtls']

/** Parses XML. Throws an error as soon as more entries or payments have been read than a statement may have lines. */
function parseXml(text: string): XmlElement {
  const root: XmlElement = { tag: '', attributes: {}, children: [], text: '' }
  const open = [root]
  const lines = new Map(LINE_TAGS.map((tag) => [tag, 0]))
  const invalid = new Error('This XML file is damaged: its elements are not closed in order. Download it again')
  readMarkup(text, {
    open: (tag, attributes) => {
      if (open.length > MAX_DEPTH) throw invalid
      const before = lines.get(tag)
      if (before !== undefined) {
        refuseTooManyLines(before + 1)
        lines.set(tag, before + 1)
      }
      const element: XmlElement = { tag, attributes, children: [], text: '' }
      open.at(-1)?.children.push(element)
      open.push(element)
    },
    text: (more) => {
      const last = open.at(-1)
      if (last && last.text.length < MAX_TEXT_LENGTH) last.text += more.slice(0, MAX_TEXT_LENGTH)
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

interface CamtAccount {
  readonly number: string
  readonly currency: string
}

export function parseCamt(text: string): RawBankLine[] {
  const [statements] = elementsAt(parseXml(text), 'Document/BkToCstmrStmt')
  if (!statements) throw new Error('This CAMT.053 file contains no bank statement. Download it again')
  return elementsAt(statements, 'Stmt').flatMap((statement) => {
    const number = textAt(statement, 'Acct/Id/IBAN', 'Acct/Id/Othr/Id')
    const account = { number, currency: textAt(statement, 'Acct/Ccy') }
    return elementsAt(statement, 'Ntry').flatMap((entry) => linesOfEntry(entry, account))
  })
}

/** Returns the lines of an entry: one for each payment of a batch, if their amounts add up to the entry's amount. */
function linesOfEntry(entry: XmlElement, account: CamtAccount): RawBankLine[] {
  const [total] = elementsAt(entry, 'Amt')
  const amountOf = (of: XmlElement) => elementsAt(of, 'Amt')[0] ?? elementsAt(of, 'AmtDtls/TxAmt/Amt')[0]
  const payments = elementsAt(entry, 'NtryDtls/TxDtls')
  const amounts = payments.map(amountOf)
  const sum = amounts.reduce((n, one) => n + Number(one?.text), 0)
  const isBatch =
    payments.length > 1 &&
    amounts.every((one) => one?.attributes.Ccy === total?.attributes.Ccy) &&
    Math.abs(sum - Number(total?.text)) < 0.001
  // Read once, because an entry may have thousands of payments.
  const ofEntry = {
    day: textAt(entry, 'BookgDt/Dt', 'BookgDt/DtTm', 'ValDt/Dt', 'ValDt/DtTm').slice(0, 10),
    direction: textAt(entry, 'CdtDbtInd'),
    id: textAt(entry, 'AcctSvcrRef'),
    status: textAt(entry, 'Sts/Cd', 'Sts'),
    information: textAt(entry, 'AddtlNtryInf'),
  }
  const lineOf = (payment: XmlElement, amount: XmlElement | undefined, n: number): RawBankLine => {
    const direction = textAt(payment, 'CdtDbtInd') || ofEntry.direction
    const party = direction === 'DBIT' ? 'Cdtr' : 'Dbtr'
    const endToEnd = textAt(payment, 'Refs/EndToEndId')
    const id = textAt(payment, 'Refs/AcctSvcrRef') || ofEntry.id
    return {
      day: ofEntry.day,
      amount: /^(?:CRDT|DBIT)$/.test(direction) ? plainDecimal(amount?.text) : '',
      isOut: direction === 'DBIT',
      currency: amount?.attributes.Ccy ?? (account.currency || undefined),
      status: ofEntry.status,
      payer: textAt(payment, `RltdPties/${party}/Nm`, `RltdPties/${party}/Pty/Nm`, `RltdPties/Ultmt${party}/Nm`),
      reference:
        textAt(payment, 'RmtInf/Ustrd', 'RmtInf/Strd/CdtrRefInf/Ref') ||
        (endToEnd && endToEnd !== 'NOTPROVIDED' ? endToEnd : textAt(payment, 'AddtlTxInf')) ||
        ofEntry.information,
      bankId: id && `${account.number}/${id}${isBatch ? `/${n + 1}` : ''}`,
    }
  }
  if (isBatch) return payments.map((payment, n) => lineOf(payment, amounts[n], n))
  const [only = entry] = payments
  return [lineOf(payments.length > 1 ? entry : only, total, 0)]
}
