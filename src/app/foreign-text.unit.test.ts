import { describe, expect, test } from 'vitest'
import { Problem } from '#kernel/errors.ts'
import { parseImportCell } from '#kernel/text/import-cells.ts'
import { replaceMergeFields } from '#kernel/text/merge-fields.ts'
import { toE164 } from '#kernel/text/phone.ts'
import { isEmail } from '#kernel/validate.ts'
import { parseStatement } from '#modules/billing/bank/statement-formats.ts'
import { companyNameKey, companyNumberKey } from '#modules/crm/duplicate-keys/keys.ts'
import { buildLeadMatchKeys, createImportRowParser } from '#modules/crm/imports/row.ts'
import { readMail } from '#modules/crm/mail/received-mail.server.ts'
import { mergeTextError } from '#modules/crm/merge-fields/merge.ts'
import { linesOfText, splitReply } from '#modules/crm/received-mail/reply-text.ts'
import { isAddressGone, isAutomatic, parseCalendar, parseDeliveryReports } from '#modules/crm/received-mail/reports.ts'
import { parseSearchWords } from '#server/data/values.ts'
import { parseHtml, sanitiseAnswerHtml } from '#server/parse-html.ts'
import { MAX_BLOCKING_MS, measureThreadTime } from '#test/support/effort.ts'
import { IS_FULL_RUN, pickDailySample } from '#test/support/scope.ts'

const LENGTH = 700_000
/** Maximum length of formatted text in a form. */
const FORM_LENGTH = 200_000

/** Pieces of text that are repeated, because a badly built parser takes time quadratic in their number. */
const PIECES = [
  ' ',
  '\n',
  '<',
  '>',
  '<a ',
  '<b>',
  '<div>',
  '</p>',
  '<p>a',
  '&amp;',
  '&',
  '{{',
  '}}',
  '{{<',
  '"',
  "'",
  ' ltd',
  'ltd ',
  '.',
  ',',
  '-',
  '+44',
  '0',
  '07700 900471 / ',
  '@',
  'a@',
  'a.',
  '\u200b',
  'é',
  'a\u0301',
  '=',
  '%',
  '(',
  '> ',
  'On a ',
  'wrote:',
  'From: a\n',
  '--b\n',
  '=?utf-8?b?w7w=?= ',
  ';a="',
  '<blockquote>',
  'cid:a ',
  '550 user ',
  '\r\n ',
]
const BEGINNINGS = ['', '{{<p>+44 a']
/** Number of these pieces that `npm test` tries each day, in addition to those of a reader's own format. */
const DAILY_PIECES = 12

const importRow = createImportRowParser(['Company', 'Number', 'Phone', 'Email', 'Address'], {
  Company: 'companyName',
  Number: 'companyNumber',
  Phone: 'phone',
  Email: 'email',
  Address: 'address1',
})

/** Wraps a parser so that a refused text is not an error. */
const refusable = (read: (text: string) => unknown) => (text: string) => {
  try {
    return read(text)
  } catch (e) {
    if (e instanceof Problem) return e
    throw e
  }
}

/** Parses a bank statement between the beginning and the end of a file. */
const readStatement =
  (start: string, end = '') =>
  (text: string) => {
    try {
      return parseStatement(`${start}${text}${end}`, { delimiter: ',', today: '2026-11-26' })
    } catch (e) {
      return e
    }
  }

const CAMT = '<Document xmlns="camt.053"><BkToCstmrStmt><Stmt>'
const CAMT_END = '</Stmt></BkToCstmrStmt></Document>'
const CAMT_ENTRY =
  '<Ntry><Amt Ccy="GBP">1.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><BookgDt><Dt>2026-11-20</Dt></BookgDt></Ntry>'
/** Small elements of CAMT.053, because each may be looked up again for each entry or payment. */
const CAMT_PIECES = [
  '<a/>',
  '<a b="c"/>',
  '<a><b/></a>',
  '<!--a-->',
  '<![CDATA[a]]>',
  '&amp;',
  '<Ntry/>',
  '<Ntry></Ntry>',
  CAMT_ENTRY,
  '<Acct><Ccy>GBP</Ccy></Acct><Ntry/>',
  '<Acct><Id><IBAN>1</IBAN></Id></Acct>',
  '<TxDtls/>',
  '<TxDtls><Amt Ccy="GBP">1</Amt></TxDtls>',
  '<BookgDt><Dt>2026-11-20</Dt></BookgDt><NtryDtls><TxDtls/></NtryDtls>',
  '<Sts>BOOK</Sts>',
  '<AddtlNtryInf>a</AddtlNtryInf>',
]

const READERS: readonly {
  readonly what: string
  readonly read: (text: string) => unknown
  readonly length?: number
  /** Further pieces, specific to the reader's format. */
  readonly pieces?: readonly string[]
}[] = [
  { what: 'formatted text', read: parseHtml },
  { what: 'a form answer', read: sanitiseAnswerHtml, length: FORM_LENGTH },
  { what: 'a company name', read: companyNameKey },
  { what: 'a company number', read: companyNumberKey },
  { what: 'a telephone number', read: toE164 },
  { what: 'an e-mail address', read: isEmail },
  { what: 'the words of a search', read: refusable(parseSearchWords) },
  { what: 'the merge fields of a text', read: (text) => mergeTextError('lead', text) },
  { what: 'a merged text', read: (text) => replaceMergeFields(text, {}, { html: true }) },
  { what: 'a cell of an import', read: parseImportCell },
  { what: 'a row of an import', read: (text) => importRow([text, text, text, text, text]) },
  {
    what: 'an e-mail’s plain text',
    // Parsed in a separate process.
    length: LENGTH / 2,
    read: (text) => readMail(Buffer.from(`Content-Type: text/plain; format=flowed\n\n${text}`)),
  },
  {
    what: 'an e-mail’s HTML',
    read: (text) => readMail(Buffer.from(`Content-Type: text/html\n\n<style>p{margin:0}</style>${text}`)),
  },
  {
    what: 'an e-mail’s structure',
    read: (text) => readMail(Buffer.from(`Content-Type: multipart/mixed; boundary=b\n\n--b\n${text}`)),
  },
  {
    what: 'an e-mail’s headers',
    // Long values are truncated.
    length: FORM_LENGTH / 2,
    read: (text) =>
      readMail(
        Buffer.from(
          ['From', 'To', 'Subject', 'Date', 'References', 'Content-Type', 'Content-Disposition', 'Auto-Submitted']
            .map((name) => `${name}: ${text}`)
            .join('\n'),
        ),
      ),
  },
  { what: 'the reply in a text', read: (text) => splitReply(linesOfText(text)) },
  { what: 'a delivery report', read: parseDeliveryReports },
  { what: 'the reason of a delivery report', read: (reason) => isAddressGone({ status: '5.0.0', reason }) },
  { what: 'the headers of an automatic reply', read: (text) => isAutomatic(() => text) },
  { what: 'a calendar', read: (text) => parseCalendar(`BEGIN:VEVENT\nSUMMARY:${text}\n${text}`, text) },
  {
    what: 'the keys of an imported lead',
    read: (text) => buildLeadMatchKeys(importRow([text, text, text, text, text]).lead),
  },
  // Bank statements are parsed in a separate process.
  { what: 'a CAMT.053 statement', read: readStatement(CAMT, CAMT_END), length: LENGTH / 2, pieces: CAMT_PIECES },
  {
    what: 'an entry of a CAMT.053 statement',
    read: readStatement(`${CAMT}<Ntry>`, `</Ntry>${CAMT_END}`),
    length: LENGTH / 2,
    pieces: CAMT_PIECES,
  },
  {
    what: 'the payments of a CAMT.053 entry',
    read: readStatement(`${CAMT}<Ntry><Amt Ccy="GBP">1</Amt><NtryDtls>`, `</NtryDtls></Ntry>${CAMT_END}`),
    length: LENGTH / 2,
    pieces: CAMT_PIECES,
  },
  {
    what: 'an OFX statement',
    read: readStatement('OFXHEADER:100\n<OFX><STMTRS><CURDEF>GBP'),
    length: LENGTH / 2,
    pieces: [
      '<STMTTRN>',
      '<STMTTRN></STMTTRN>',
      '<STMTTRN><TRNTYPE>CREDIT<DTPOSTED>20261120<TRNAMT>1.00<FITID>1<NAME>a</STMTTRN>',
      '<CURDEF>',
      '<NAME>a',
    ],
  },
  {
    what: 'a QIF statement',
    read: readStatement('!Type:Bank\n'),
    length: LENGTH / 2,
    pieces: ['^\n', '!Account\n', 'D1\n', 'D20/11/2026\nT1.00\n^\n', '\r'],
  },
  {
    what: 'an MT940 statement',
    read: readStatement(':20:X\n:60F:C261120GBP0,\n'),
    length: LENGTH / 2,
    pieces: [
      ':61:',
      '\n:61:',
      '\n:86:',
      '\n:61:2611201120C1,00NTRFX\n:86:/NAME/a',
      '\n-',
      '\n- ',
      '{}{4:',
      '?20',
      '/A/',
    ],
  },
  {
    what: 'a CSV statement',
    read: readStatement('Date,Description,Amount,Type\n'),
    length: LENGTH / 2,
    pieces: ['20/11/2026,a,1.00,CR\n', ',,,\n', '"",', '1.00,', '20/11/2026,', '£', '""', 'a"'],
  },
]

/** Share of the maximum length that is parsed first. */
const PART = 0.1
/**
 * Maximum ratio of the time for the whole text to the time for the part. For a linear parser the ratio is ten, and up to
 * thirty if the processor collects garbage meanwhile; for a quadratic one it is a hundred.
 */
const MOST_GROWTH = 40
/** Share of the part that is parsed to estimate the growth: for a linear parser the ratio is four, for a quadratic one 16. */
const QUARTER = 0.25
const MAX_ESTIMATED_GROWTH = 8

/** Returns a share of the text to parse, which ends as the whole text does. */
type TextOfShare = (share: number) => string

/**
 * True if the time above the limit is due to the parser and not to the machine: it is five times the limit, or grows
 * faster than the text.
 */
async function isSlow(read: (text: string) => unknown, textOf: TextOfShare, time: number): Promise<boolean> {
  if (time > 5 * MAX_BLOCKING_MS) return true
  const part = textOf(PART)
  const times = [await measureThreadTime(() => read(part)), await measureThreadTime(() => read(part))]
  return time > MOST_GROWTH * Math.min(...times)
}

/** Measures the minimum of three attempts, because the processor may collect garbage during one. */
const measureLeastTime = async (read: (text: string) => unknown, text: string): Promise<number> =>
  Math.min(
    await measureThreadTime(() => read(text)),
    await measureThreadTime(() => read(text)),
    await measureThreadTime(() => read(text)),
  )

/**
 * Returns the milliseconds for which parsing the text blocks the process, if they exceed the limit. A tenth of the text
 * is parsed first, and the whole text only if the tenth decides nothing: not if even a quadratic parser would stay
 * within the limit, if the time grows in proportion to the text and ten times the time is within the limit, or if the
 * tenth alone exceeds the limit.
 */
async function findBlockingTime(read: (text: string) => unknown, textOf: TextOfShare): Promise<number | undefined> {
  const part = textOf(PART)
  const partTime = await measureThreadTime(() => read(part))
  if (partTime > MAX_BLOCKING_MS) return partTime
  if (!IS_FULL_RUN) {
    if (partTime / PART ** 2 < MAX_BLOCKING_MS) return undefined
    const least = Math.min(partTime, await measureLeastTime(read, part))
    const growth = least / (await measureLeastTime(read, textOf(PART * QUARTER)))
    if (least / PART < MAX_BLOCKING_MS && growth < MAX_ESTIMATED_GROWTH) return undefined
  }
  const text = textOf(1)
  const time = await measureThreadTime(() => read(text))
  return time > MAX_BLOCKING_MS && (await isSlow(read, textOf, time)) ? time : undefined
}

describe('a parser of untrusted text', () => {
  test.each(READERS)(
    'parsing $what of the maximum length does not block the process, for any repeated piece of text',
    async ({ read, length = LENGTH, pieces = [] }) => {
      const slow: string[] = []
      for (const piece of [...pickDailySample(PIECES, DAILY_PIECES), ...pieces])
        for (const beginning of pieces.includes(piece) ? [''] : BEGINNINGS) {
          // A piece is never cut, because damaged markup is refused before it is evaluated.
          const textOf = (share: number) => `${beginning}${piece.repeat((length * share) / piece.length)}x`
          const time = await findBlockingTime(read, textOf)
          if (time) slow.push(`${JSON.stringify(beginning + piece)}: ${Math.round(time)} ms`)
        }
      expect(slow).toEqual([])
    },
  )
})
