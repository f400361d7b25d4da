import { describe, expect, test } from 'vitest'
import { parseStatement } from './statement-formats.ts'
import {
  type BankStatementLine,
  bankStatementLineKeys,
  compareWithEarlierLines,
  type EarlierBankLine,
  parseBankAmount,
  parseBankDate,
} from './statement-lines.ts'

const TODAY = '2026-11-26'
const parse = (text: string, delimiter = ',') => parseStatement(text, { delimiter, today: TODAY })
const read = (...rows: string[]) => parse(rows.join('\n'))
/** Amounts in pounds with their currency, where the file states one. */
const amounts = (...rows: string[]) =>
  read(...rows).lines.map(({ amount, currency }) => `${(amount / 100).toFixed(2)}${currency ? ` ${currency}` : ''}`)

describe('a bank statement', () => {
  test('a bank statement is parsed in the formats that banks use', () => {
    const line = { day: '2026-11-05', amount: 12_000, reference: 'INV-00012', payer: 'ACME LTD' }
    expect(
      read(
        'Date,Counter Party,Reference,Type,Amount (GBP),Balance (GBP)',
        '05/11/2026,ACME LTD,INV-00012,FPS,120.00,99.00',
      ).lines,
    ).toEqual([{ ...line, currency: 'GBP' }])
    expect(
      read(
        'Transaction Date,Transaction Type,Sort Code,Account Number,Transaction Description,Debit Amount,Credit Amount,Balance',
        "05/11/2026,FPI,'30-00-00,123,ACME LTD INV-00012,,120.00,200.00",
        '06/11/2026,DD,30-00-00,123,RENT,"1,000.00",,-800.00',
        '07/11/2026,DEB,30-00-00,123,FUEL,50.00,0.00,-850.00',
      ).lines,
    ).toEqual([
      { ...line, reference: 'ACME LTD INV-00012', payer: '' },
      { day: '2026-11-06', amount: -100_000, reference: 'RENT', payer: '' },
      { day: '2026-11-07', amount: -5000, reference: 'FUEL', payer: '' },
    ])
    expect(
      read('Account name,Ours', 'Sort code,30-00-00', 'Date,Description,Value', '5 Nov 2026,x,"£1,234.50"').lines,
    ).toEqual([{ day: '2026-11-05', amount: 123_450, reference: 'x', payer: '', currency: 'GBP' }])
    expect(
      read(
        'Date,Details,Transaction Type,In,Out,Balance',
        '05/11/2026,A,Credit,1.00,,1.00',
        '05/11/2026,B,Debit,,2.00,-1',
      ).lines,
    ).toMatchObject([{ amount: 100 }, { amount: -200 }])
  })

  test('unreadable lines of a bank statement are reported with a reason, and the other lines are still parsed', () => {
    const { lines, problems } = read(
      'Date,Amount,Reference',
      '31/02/2026,1.00,a',
      '05/11/2026,1.005,b',
      '05/11/2026,1e15,c',
      '05/11/2026,99999999999.00,d',
      '27/11/2026,1.00,e',
      '05/11/2026,,f',
      '29/02/2024,1.00,g',
    )
    expect(lines.map(({ reference }) => reference)).toEqual(['g'])
    expect(problems).toEqual([
      { line: 2, why: '“31/02/2026” isn’t a valid date' },
      { line: 3, why: '“1.005” isn’t a valid amount' },
      { line: 4, why: '“1e15” isn’t a valid amount' },
      { line: 5, why: 'The amount is more than ten million' },
      { line: 6, why: 'The date is in the future' },
      { line: 7, why: '“” isn’t a valid amount' },
    ])
    expect(() => read('Name,Telephone', 'Ann,1')).toThrow('No column headings found')
    expect(() => read('')).toThrow('No column headings found')
  })

  test('dates and amounts in a bank statement are parsed in many formats', () => {
    const dates = [
      '28/02/2026',
      '28-2-26',
      '28 Feb 2026',
      '28 February 26',
      '2026-02-28',
      '2026-02-28T10:00:00Z',
      '20260228',
      '28.02.2026',
      '28FEB2026',
      'Sat 28 Feb 2026',
      '28th Feb 2026',
      'Feb 28, 2026',
      '28/02/2026 09:15',
      '28/02/2026 09:15:59',
      '28/02/2026, 9:15 pm',
      '2026-02-28 09:15:59.123456',
      '28-Feb-26',
    ]
    expect(dates.map(parseBankDate)).toEqual(Array(dates.length).fill('2026-02-28'))
    const none = [
      '29/02/2026',
      '13/13/2026',
      '2026',
      'x',
      '28 Fub 2026',
      '28/02/2026 later',
      '31/02/2026',
      '12.50',
      '28/02/2026'.repeat(9),
    ]
    expect(none.map(parseBankDate)).toEqual(Array(none.length).fill(undefined))
    const pence = (text: string) => parseBankAmount(text)?.amount
    const positive = [
      '120.00',
      '£120',
      '+120.00',
      '120.00 CR',
      '€120.00',
      '120.00 EUR',
      'GBP 120',
      "'120.00",
      '120.00+',
      '120.0',
    ]
    expect(positive.map(pence)).toEqual(Array(positive.length).fill(12_000))
    const negative = [
      '-120.00',
      '(120.00)',
      '120.00 DR',
      '-£120.00',
      '£-120.00',
      '120.00-',
      '\u2212120.00',
      '120.00 D',
      '(£120.00)',
      '£(120.00)',
      '\u2013120',
      'DR 120',
      '-120.00 DR',
    ]
    expect(negative.map(pence)).toEqual(Array(negative.length).fill(-12_000))
    const thousands = ['1,234.50', '1\u00a0234.50', '1\u202f234.50', '1 234.50', "1'234.50"]
    expect(thousands.map(pence)).toEqual(Array(thousands.length).fill(123_450))
    const wrong = [
      '',
      '1.2.3',
      '(120.00',
      '=1+1',
      '0.001',
      'NaN',
      '1,23.00',
      '12,50',
      '--12.00',
      '-12.00 CR',
      '£1 €1',
      '1 2',
      '1'.repeat(90),
    ]
    expect(wrong.map(pence)).toEqual(Array(wrong.length).fill(undefined))
    expect(['€99.00', '99 EUR', 'US$5', 'CHF 1', '\ufffd12.00'].map((text) => parseBankAmount(text)?.currency)).toEqual(
      ['EUR', 'EUR', 'USD', 'CHF', '?'],
    )
  })
})

describe('the direction of a payment', () => {
  test('a column for debit and credit makes unsigned amounts money out or money in', () => {
    expect(
      amounts(
        'Date,Description,Amount,Debit/Credit',
        '20/11/2026,OFFICE RENT,500.00,Debit',
        '20/11/2026,BUYER ONE LTD,120.00,Credit',
      ),
    ).toEqual(['-500.00', '120.00'])
    expect(
      amounts(
        '"Date","Description","Amount","D/C","Balance"',
        '"20/11/2026","RENT","33.50","D","966.50"',
        '"20/11/2026","BUYER TWO LTD","33.51","C","1000.01"',
      ),
    ).toEqual(['-33.50', '33.51'])
    for (const [heading, out, into] of [
      ['Type', 'DR', 'CR'],
      ['Direction', 'OUT', 'IN'],
      ['Credit/Debit Indicator', 'DBIT', 'CRDT'],
      ['Dr/Cr', 'Dr.', 'Cr.'],
      ['CRDR', 'debit', 'credit'],
      ['Transaction Type', 'Money out', 'Money in'],
      ['Kind', 'Withdrawal', 'Deposit'],
      ['+/-', '-', '+'],
      ['+/-', '\u2212', '+'],
    ])
      expect([
        heading,
        ...amounts(`Date,Description,Amount,${heading}`, `20/11/2026,A,5.00,${out}`, `20/11/2026,B,6.00,${into}`),
      ]).toEqual([heading, '-5.00', '6.00'])
  })

  test('a minus sign before or after the amount, in brackets or as another character is money out', () => {
    expect(
      amounts(
        'Date,Description,Amount',
        '20/11/2026,POWER,12.00-',
        '20/11/2026,WATER,\u22125.00',
        '20/11/2026,RENT,"-1\u00a0234.50"',
      ),
    ).toEqual(['-12.00', '-5.00', '-1234.50'])
  })

  test('a refund that went out is not money in', () => {
    expect(amounts('Date,Description,Amount,Debit/Credit', '20/11/2026,REFUND INV-00012,120.00,Debit')).toEqual([
      '-120.00',
    ])
  })

  test('a file is refused if a column may state the direction in words that are not understood', () => {
    for (const heading of ['Debit/Credit', 'Type', 'S/H'])
      expect(() =>
        read(
          `Date,Description,Amount,${heading}`,
          '20/11/2026,RENT,5.00,Soll',
          '20/11/2026,A,6.00,Haben',
          '20/11/2026,B,6.00,Haben',
        ),
      ).toThrow('words are not understood: “Soll”, “Haben”')
    expect(() =>
      read('Date,Description,Amount,Type', '20/11/2026,A,5.00,Direct debit', '20/11/2026,B,6.00,Credit'),
    ).toThrow('words are not understood')
    expect(() =>
      read('Date,Description,Amount,Balance', '20/11/2026,A,5.00,95.00', '21/11/2026,RENT,6.00,89.00'),
    ).toThrow('The balance shows')
    // Where the amounts have signs, other words state something else.
    expect(amounts('Date,Description,Amount,Type', '20/11/2026,A,5.00,BAC', '20/11/2026,B,-6.00,POS')).toEqual([
      '5.00',
      '-6.00',
    ])
    expect(
      amounts('Date,Description,Value,Type,Balance', '21/11/2026,A,5.00,BAC,15.00', '20/11/2026,B,6.00,CHQ,10.00'),
    ).toEqual(['5.00', '6.00'])
    expect(
      read('Date,Amount,Debit/Credit', '20/11/2026,5.00,', '20/11/2026,6.00,Credit', '20/11/2026,7.00,D').problems,
    ).toEqual([{ line: 2, why: 'The direction is missing' }])
  })
})

describe('currency, status and text', () => {
  test('a line in another currency never becomes pounds', () => {
    const wise = read(
      'TransferWise ID,Date,Amount,Currency,Description,Payment Reference,Running Balance,Exchange From,Exchange To,Payer Name,Payee Name',
      'TRANSFER-1,20-11-2026,150.00,GBP,From a buyer in Leeds,REF 1,150.00,,,Leeds Buyer Ltd,',
      'TRANSFER-2,20-11-2026,275.00,EUR,From a buyer in Dublin,REF 2,275.00,,,Dublin Buyer Ltd,',
      'TRANSFER-3,20-11-2026,99.00,CHF,From a buyer in Basel,REF 3,99.00,,,Basel Buyer,',
      'TRANSFER-4,20-11-2026,€99.00,GBP,x,REF 4,99.00,,,Buyer,',
    )
    expect(wise.lines).toMatchObject([
      { amount: 15_000, currency: 'GBP', payer: 'Leeds Buyer Ltd', reference: 'From a buyer in Leeds REF 1' },
      { amount: 27_500, currency: 'EUR', payer: 'Dublin Buyer Ltd' },
    ])
    expect(wise.problems).toEqual([
      { line: 4, why: 'Payments in CHF can’t be recorded' },
      { line: 5, why: 'The amount is in EUR, but the column for the currency states GBP' },
    ])
    expect(amounts('Date,Description,Amount', '20/11/2026,DUBLIN BUYER LTD,€99.00')).toEqual(['99.00 EUR'])
    expect(amounts('Date,Description,Paid in (€)', '20/11/2026,DUBLIN BUYER LTD,99.00')).toEqual(['99.00 EUR'])
    expect(amounts('Date,Description,Amount in USD', '20/11/2026,BUYER,99.00')).toEqual(['99.00 USD'])
    expect(read('Date,Description,Amount', '20/11/2026,A,\ufffd9.00').problems).toEqual([
      { line: 2, why: 'The currency sign of “\ufffd9.00” can’t be read' },
    ])
  })

  test('pending and reverted lines are left out and counted with the reason', () => {
    const { lines, leftOut, problems } = read(
      'Type,Started Date,Completed Date,Description,Amount,Fee,Currency,State,Balance',
      'TOPUP,2026-11-19 10:00:00,2026-11-20 09:15:59,From ACME LTD,10.00,0.00,GBP,COMPLETED,10.00',
      'TRANSFER,2026-11-20 10:00:00,,From BETA LTD,20.00,0.00,GBP,PENDING,',
      'TRANSFER,2026-11-20 10:00:00,2026-11-20 10:00:00,From GAMMA,30.00,0.00,GBP,REVERTED,',
      'TRANSFER,2026-11-20 10:00:00,2026-11-20 10:00:00,From DELTA,40.00,0.00,GBP,DECLINED,',
      'TRANSFER,2026-11-20 10:00:00,2026-11-20 10:00:00,From E,50.00,0.00,GBP,MAYBE,',
      'TRANSFER,2026-11-20 10:00:00,2026-11-20 10:00:00,From F,-60.00,0.00,GBP,COMPLETED,',
    )
    expect(lines).toMatchObject([{ day: '2026-11-20', amount: 1000, reference: 'From ACME LTD' }, { amount: -6000 }])
    expect(leftOut).toEqual([
      { why: 'Pending', lines: 1 },
      { why: 'Reverted, declined or cancelled', lines: 2 },
    ])
    expect(problems).toEqual([{ line: 6, why: '“MAYBE” isn’t a known status' }])
    expect(read('Date,Description,Amount', 'Pending,A,1.00', '20/11/2026,B,0.00').leftOut).toEqual([
      { why: 'Pending', lines: 1 },
      { why: 'Amount of zero', lines: 1 },
    ])
  })

  test("the payer's text is read under any heading", () => {
    for (const heading of [
      'Label',
      'Narrative',
      'Narrative #1',
      'Transaction description',
      'Details',
      'Particulars',
      'Ordering customer details',
      'Wording',
      'Description1',
      '',
    ])
      expect([heading, read(`Date,${heading},Amount`, '20/11/2026,ACME LTD,64.20').lines[0]?.reference]).toEqual([
        heading,
        'ACME LTD',
      ])
    for (const heading of ['Counter Party', 'Merchant', 'Name', 'Payer', 'From'])
      expect([heading, read(`Date,${heading},Amount`, '20/11/2026,ACME LTD,64.20').lines[0]?.payer]).toEqual([
        heading,
        'ACME LTD',
      ])
    expect(read('Date,Reference,Ordered by,Amount', '20/11/2026,INV 7,ACME LTD,64.20').lines[0]?.reference).toBe(
      'INV 7 ACME LTD',
    )
  })

  test('a date with a time is dated that day', () => {
    expect(
      read(
        'Date,Description,Amount',
        '20/11/2026 09:15,BUYER THREE LTD,71.00',
        '20/11/2026 09:15:59,BUYER FOUR LTD,72.00',
      ).lines.map(({ day }) => day),
    ).toEqual(['2026-11-20', '2026-11-20'])
    expect(() => read('Date,Description,Amount', '11/20/2026,A,1.00', '11/05/2026,B,1.00')).toThrow(
      'the month first, such as 11/20/2026',
    )
  })

  test('columns are read by a mapping that a person has chosen, also without headings', () => {
    const mapped = (text: string, columns: object, moneyOut?: string[]) =>
      parseStatement(text, {
        delimiter: ',',
        today: TODAY,
        mappingOf: () => ({ columns: columns as never, ...(moneyOut ? { moneyOut } : {}) }),
      }).lines
    expect(
      mapped(
        'When,Who,Sum,S/H\n20/11/2026,RENT,5.00,Soll\n20/11/2026,ACME,6.00,Haben',
        { When: 'day', Who: 'payer', Sum: 'amount', 'S/H': 'direction' },
        ['soll'],
      ),
    ).toEqual([
      { day: '2026-11-20', amount: -500, reference: '', payer: 'RENT' },
      { day: '2026-11-20', amount: 600, reference: '', payer: 'ACME' },
    ])
    expect(
      mapped('20/11/2026,ACME LTD,12.00\n21/11/2026,RENT,-5.00', {
        'Column 1': 'day',
        'Column 2': 'reference',
        'Column 3': 'amount',
      }),
    ).toMatchObject([
      { day: '2026-11-20', amount: 1200, reference: 'ACME LTD' },
      { day: '2026-11-21', amount: -500 },
    ])
    expect(() => parse('20/11/2026,ACME LTD,12.00')).toThrow(
      expect.objectContaining({
        columns: expect.objectContaining({
          headings: ['Column 1', 'Column 2', 'Column 3'],
          sample: [['20/11/2026', 'ACME LTD', '12.00']],
        }),
      }),
    )
  })
})

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

describe('other formats', () => {
  test('OFX is read as SGML and as XML, with the IDs of the bank', () => {
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

  test('QIF is read with the day first', () => {
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

  test('CAMT.053 is read with payers, and a batch becomes one line for each payment', () => {
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

  test('MT940 is read with reversals, the year of the entry date and all kinds of text', () => {
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

  test('a file in an unsupported format is refused by its name', () => {
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
  test('entities of a file are never expanded', () => {
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
  ])('a file of two million characters of %s takes less than three seconds', (_name, text) => {
    const before = process.cpuUsage()
    try {
      parse(text)
    } catch (e) {
      expect((e as Error).message).not.toBe('')
    }
    const { user } = process.cpuUsage(before)
    expect(user / 1e6).toBeLessThan(3)
  })

  test('twenty thousand lines are read, and more are refused', () => {
    const row = '20/11/2026,BUYER LTD,1.00\n'
    expect(parse(`Date,Description,Amount\n${row.repeat(20_000)}`).lines).toHaveLength(20_000)
    expect(() => parse(`Date,Description,Amount\n${row.repeat(20_001)}`)).toThrow(
      'This file has 20,001 lines. Import at most 20,000',
    )
  })
})

describe('lines of earlier statements', () => {
  const line: BankStatementLine = { day: '2026-11-05', amount: 100, reference: 'A', payer: '' }
  const earlier = (lines: readonly BankStatementLine[]): EarlierBankLine[] => {
    const keys = bankStatementLineKeys(lines, 'GBP')
    return lines.map((one, n) => ({
      bankId: '',
      currency: 'GBP',
      statement: 'first.csv',
      ...one,
      key: keys[n] as string,
    }))
  }
  const repeats = (before: readonly BankStatementLine[], after: readonly BankStatementLine[]) =>
    compareWithEarlierLines(after, bankStatementLineKeys(after, 'GBP'), 'GBP', earlier(before)).map((one) =>
      typeof one === 'string' ? one : 'similar',
    )

  test('identical lines of a bank statement are numbered in order', () => {
    const [one, two] = bankStatementLineKeys([line, line], 'GBP')
    expect(one).not.toBe(two)
    expect(bankStatementLineKeys([{ ...line, reference: 'a' }], 'GBP')).toEqual([one])
    expect(bankStatementLineKeys([line], 'EUR')).not.toEqual([one])
    expect(bankStatementLineKeys([{ ...line, currency: 'EUR' }], 'GBP')).toEqual(bankStatementLineKeys([line], 'EUR'))
  })

  test('a payment in another format of the same bank is known, or is marked as similar', () => {
    const csv = { ...line, reference: 'ACME LTD INV-00012' }
    expect(repeats([csv], [{ ...line, payer: 'Acme Ltd', reference: 'INV-00012', bankId: '1/1' }])).toEqual(['known'])
    expect(repeats([csv], [{ ...line, payer: 'ACME LTD', reference: 'FPS 20/11', bankId: '1/1' }])).toEqual(['similar'])
    expect(repeats([{ ...line, reference: '' }], [csv])).toEqual(['similar'])
    expect(repeats([{ ...line, reference: 'ACME LTD' }], [{ ...line, reference: 'BETA LTD' }])).toEqual(['new'])
    expect(
      repeats(
        [csv],
        [
          { ...csv, day: '2026-11-06' },
          { ...csv, amount: 101 },
          { ...csv, currency: 'EUR' },
        ],
      ),
    ).toEqual(['new', 'new', 'new'])
  })

  test('each earlier line makes one line known', () => {
    expect(repeats([line], [line, line])).toEqual(['known', 'new'])
    expect(repeats([line, line], [line, line])).toEqual(['known', 'known'])
    const [one, two] = [
      { ...line, bankId: '1/1' },
      { ...line, bankId: '1/2' },
    ]
    expect(repeats([one], [two, one])).toEqual(['new', 'known'])
    expect(repeats([one], [{ ...one, reference: 'other words' }])).toEqual(['known'])
    // The bank may have given the payment another ID in the second file.
    expect(repeats([one], [two])).toEqual(['similar'])
  })

  test('twenty thousand alike lines are compared in less than three seconds', () => {
    const [before, after] = ['x', 'y'].map((word) =>
      Array.from({ length: 20_000 }, (_, n) => ({ ...line, reference: `${word} ${n}` })),
    )
    const start = process.cpuUsage()
    repeats(before ?? [], after ?? [])
    expect(process.cpuUsage(start).user / 1e6).toBeLessThan(3)
  })
})
