import { describe, expect, test } from 'vitest'
import { parseStatement } from './statement-formats.ts'

const parse = (text: string) => parseStatement(text, { delimiter: ',', today: '2026-11-26' })

const SGML = `OFXHEADER:100
DATA:OFXSGML
VERSION:102
ENCODING:USASCII
CHARSET:1252

<OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>GBP<BANKACCTFROM><ACCTID>123</BANKACCTFROM><BANKTRANLIST>
<STMTTRN><TRNTYPE>CREDIT<DTPOSTED>20261120120000[0:GMT]<TRNAMT>91.00<FITID>1<NAME>BUYER &amp; FIVE<MEMO>INV-00012</STMTTRN>
<STMTTRN><TRNTYPE>DEBIT<DTPOSTED>20261121<TRNAMT>-5.5<FITID>2<NAME>RENT</STMTTRN>
<STMTTRN><TRNTYPE>DEBIT<DTPOSTED>20261121<TRNAMT>7,50<FITID>3<NAME>RATES
<STMTTRN><TRNTYPE>CREDIT<DTPOSTED>20261121<TRNAMT>9.00<FITID>4<NAME>EURO BUYER<CURRENCY><CURRATE>0.9<CURSYM>EUR</CURRENCY></STMTTRN>
</BANKTRANLIST></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>`

describe('other statement formats', () => {
  test("OFX is read as SGML and as XML, with the bank's IDs", () => {
    expect(parse(SGML).lines).toEqual([
      {
        day: '2026-11-20',
        amount: 9100,
        currency: 'GBP',
        reference: 'INV-00012',
        payer: 'BUYER & FIVE',
        bankId: '123/1',
      },
      { day: '2026-11-21', amount: -550, currency: 'GBP', reference: '', payer: 'RENT', bankId: '123/2' },
      { day: '2026-11-21', amount: -750, currency: 'GBP', reference: '', payer: 'RATES', bankId: '123/3' },
      { day: '2026-11-21', amount: 900, currency: 'EUR', reference: '', payer: 'EURO BUYER', bankId: '123/4' },
    ])
    const xml = `<?xml version="1.0" encoding="UTF-8"?><?OFX OFXHEADER="200" VERSION="211"?><OFX><CREDITCARDMSGSRSV1><CCSTMTTRNRS><CCSTMTRS><CURDEF>EUR</CURDEF><BANKTRANLIST><STMTTRN><TRNTYPE>CREDIT</TRNTYPE><DTPOSTED>20261120</DTPOSTED><TRNAMT>91.00</TRNAMT><FITID>1</FITID><NAME>BUYER FIVE</NAME><ORIGCURRENCY><CURSYM>USD</CURSYM></ORIGCURRENCY></STMTTRN></BANKTRANLIST><BANKTRANLISTP><STMTTRNP><TRNTYPE>CREDIT</TRNTYPE><DTTRAN>20261120</DTTRAN><TRNAMT>1.00</TRNAMT><NAME>LATER</NAME></STMTTRNP></BANKTRANLISTP></CCSTMTRS></CCSTMTTRNRS></CREDITCARDMSGSRSV1></OFX>`
    expect(parse(xml)).toMatchObject({
      lines: [{ amount: 9100, currency: 'EUR', payer: 'BUYER FIVE', bankId: '/1' }],
      leftOut: [{ why: 'Pending', lines: 1 }],
    })
    expect(() => parse('OFXHEADER:100\n<OFX><SIGNONMSGSRSV1></OFX>')).toThrow('contains no bank statement')
  })

  test('QIF dates are read with the day first', () => {
    const qif =
      "!Account\nNCurrent\n^\n!Type:Bank\nD20/11/2026\nT1,234.50\nPACME LTD\nMINV-00012\n^\nD21/11'26\nT-5.00\nPRENT\n^\n"
    expect(parse(qif).lines).toEqual([
      { day: '2026-11-20', amount: 123_450, reference: 'INV-00012', payer: 'ACME LTD' },
      { day: '2026-11-21', amount: -500, reference: '', payer: 'RENT' },
    ])
    expect(() => parse('!Type:Invst\nD20/11/2026\nNBuy\n^')).toThrow('QIF file contains no bank statement')
    expect(() => parse("!Type:Bank\nD11/20'26\nT1.00\n^\nD11/05'26\nT2.00\n^")).toThrow('the month first')
  })

  const camt = (entries: string) =>
    `<?xml version="1.0"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><BkToCstmrStmt><Stmt><Acct><Id><IBAN>GB1</IBAN></Id><Ccy>GBP</Ccy></Acct>${entries}</Stmt></BkToCstmrStmt></Document>`
  const entry = (details: string, { amount = '91.00', side = 'CRDT', status = 'BOOK' } = {}) =>
    `<Ntry><Amt Ccy="GBP">${amount}</Amt><CdtDbtInd>${side}</CdtDbtInd><Sts>${status}</Sts><BookgDt><Dt>2026-11-20</Dt></BookgDt><AcctSvcrRef>R1</AcctSvcrRef>${details}</Ntry>`
  const payment = (amount: string, name: string, text: string) =>
    `<TxDtls><Refs><EndToEndId>NOTPROVIDED</EndToEndId></Refs><Amt Ccy="GBP">${amount}</Amt><RltdPties><Dbtr><Nm>${name}</Nm></Dbtr></RltdPties><RmtInf><Ustrd>${text}</Ustrd></RmtInf></TxDtls>`

  test('CAMT.053 is read with payers, and a batch is split into one line for each payment', () => {
    const batch = entry(
      `<NtryDtls>${payment('60.00', 'A &lt;Ltd&gt;', 'INV-1')}${payment('31.00', 'B Ltd', 'INV-2')}</NtryDtls>`,
    )
    expect(parse(camt(batch)).lines).toEqual([
      { day: '2026-11-20', amount: 6000, currency: 'GBP', reference: 'INV-1', payer: 'A <Ltd>', bankId: 'GB1/R1/1' },
      { day: '2026-11-20', amount: 3100, currency: 'GBP', reference: 'INV-2', payer: 'B Ltd', bankId: 'GB1/R1/2' },
    ])
    const others = camt(
      `${entry('', { side: 'DBIT' })}${entry('', { status: '<Cd>PDNG</Cd>' })}${entry('<AddtlNtryInf>LUMP</AddtlNtryInf>')}${entry('', { side: '' })}`,
    )
    expect(parse(others)).toMatchObject({
      lines: [{ amount: -9100 }, { amount: 9100, reference: 'LUMP', bankId: 'GB1/R1' }],
      leftOut: [{ why: 'Pending', lines: 1 }],
      problems: [{ line: 4, why: '“” isn’t a valid amount' }],
    })
    expect(() => parse(camt('<Ntry>'))).toThrow('XML file is damaged')
    expect(() => parse(camt('').replaceAll('BkToCstmrStmt', 'BkToCstmrAcctRpt').replace('053', '052'))).toThrow(
      'This is a CAMT.052 report: choose CSV',
    )
    expect(() => parse('<?xml version="1.0"?><invoice/>')).toThrow('This is an XML file of another kind: choose CSV')
  })

  test("MT940 is read with reversals, the entry date's year and every kind of text", () => {
    const mt940 = [
      '{1:F01X}{2:I940}{4:',
      ':20:START',
      ':25:123',
      ':28C:1/1',
      ':60F:C251230GBP0,00',
      ':61:2601021231C91,00NTRFNONREF//B1',
      ':86:BUYER FIVE',
      'INV-00012',
      ':61:2611201120D5,5NTRFX',
      ':61:261120RC12,NTRFX',
      ':61:2611201120CP7,00NTRFREF7',
      ':86:166?00CREDIT?20INV-?21 7?32ACME?33 LTD',
      ':61:261120C8,00NTRFX',
      ':86:/TRTP/SEPA/NAME/BETA LTD/REMI/INV 8',
      ':61:oops',
      ':62F:C261120GBP1,00',
      '-}',
    ].join('\r\n')
    expect(parse(mt940)).toMatchObject({
      lines: [
        { day: '2025-12-31', amount: 9100, currency: 'GBP', payer: '', reference: 'BUYER FIVE INV-00012' },
        { day: '2026-11-20', amount: -550, reference: 'X' },
        { day: '2026-11-20', amount: -1200 },
        { amount: 700, payer: 'ACME LTD', reference: 'INV- 7' },
        { amount: 800, payer: 'BETA LTD', reference: 'INV 8' },
      ],
      problems: [{ line: 6, why: 'The field :61: can’t be read' }],
    })
  })

  test('a file in an unsupported format is refused, and the message names the format', () => {
    for (const [head, name] of [
      ['%PDF-1.7\n', 'This is a PDF document: choose CSV, OFX, QIF, CAMT.053 or MT940'],
      ['PK\u0003\u0004xxxx[Content_Types].xml', 'This is an Excel workbook: open it'],
      ['PK\u0003\u0004xxxx', 'This is a ZIP archive: unpack it'],
      ['\u00d0\u00cf\u0011\u00e0', 'This is an old Excel workbook'],
      ['\ufffdPNG\r\n', 'This is a picture'],
      ['<!DOCTYPE html><html>', 'This is a web page (HTML)'],
      ['<table><tr>', 'This is a web page (HTML)'],
      ['{\\rtf1', 'This is a word-processing document (RTF)'],
      ['[{"date":1}]', 'This is a JSON file'],
    ])
      expect(() => parse(head as string)).toThrow(name)
  })
})

describe('hostile files', () => {
  const MANY = 2_000_000
  test('XML entities in a file are never expanded', () => {
    const bomb = `<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;"><!ENTITY c SYSTEM "file:///etc/passwd">]><Document xmlns="camt.053"><BkToCstmrStmt><Stmt><Ntry><Amt Ccy="GBP">1.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><BookgDt><Dt>2026-11-20</Dt></BookgDt><AddtlNtryInf>&b;&c;</AddtlNtryInf></Ntry></Stmt></BkToCstmrStmt></Document>`
    expect(parse(bomb).lines.map(({ reference }) => reference)).toEqual(['&b;&c;'])
  })

  test.each([
    ['one line', 'x'.repeat(MANY)],
    ['one cell', `Date,Amount,Name\n20/11/2026,1.00,${'x'.repeat(MANY)}`],
    ['delimiters', ','.repeat(MANY)],
    ['a heading of spaces', `Date${' '.repeat(MANY)},Amount\n`],
    ['an unclosed quotation mark', `Date,Amount\n"20/11/2026,${'1.00\n'.repeat(100_000)}`],
    ['unclosed tags', `OFXHEADER:100\n<OFX>${'<STMTTRN>'.repeat(200_000)}`],
    ['deep elements', `<?xml version="1.0"?><Document xmlns="camt.053">${'<a>'.repeat(500_000)}`],
    ['less-than signs', `<?xml version="1.0"?><Document xmlns="camt.053">${'<'.repeat(MANY)}`],
    ['fields', `:20:X\n:60F:C261120GBP0,\n${':61:'.repeat(400_000)}`],
    ['an odd amount', `Date,Amount\n20/11/2026,${'1,'.repeat(MANY / 2)}`],
  ])('a file of two million characters of %s is read in less than three seconds', (_name, text) => {
    const before = process.cpuUsage()
    try {
      parse(text)
    } catch (e) {
      expect((e as Error).message).not.toBe('')
    }
    const { user } = process.cpuUsage(before)
    expect(user / 1e6).toBeLessThan(3)
  })

  test('a statement of twenty thousand lines is read, and a longer one is refused', () => {
    const row = '20/11/2026,BUYER LTD,1.00\n'
    expect(parse(`Date,Description,Amount\n${row.repeat(20_000)}`).lines).toHaveLength(20_000)
    expect(() => parse(`Date,Description,Amount\n${row.repeat(20_001)}`)).toThrow(
      'This file has more than 20,000 lines',
    )
  })

  test.each([
    ['entries of CAMT.053', '<Document xmlns="camt.053"><BkToCstmrStmt><Stmt>', '<Ntry></Ntry>', '</Wrong>'],
    ['payments of one entry', '<Document xmlns="camt.053"><BkToCstmrStmt><Ntry>', '<TxDtls/>', '</Wrong>'],
    ['transactions of OFX', 'OFXHEADER:100\n<OFX>', '<STMTTRN><TRNAMT>1.00</STMTTRN>', ''],
    ['records of QIF', '!Type:Bank\n', 'D20/11/2026\nT1.00\n^\n', '!Type:Invst\n'],
    ['fields of MT940', ':20:X\n', ':61:2611201120C1,00NTRFX\n', ''],
  ])(
    'a statement with more than twenty thousand %s is refused while it is being read',
    (_name, start, line, damage) => {
      expect(() => parse(`${start}${line.repeat(20_001)}${damage}`)).toThrow('This file has more than 20,000 lines')
    },
  )
})
