import { describe, expect, test } from 'vitest'
import { parseStatement } from './statement-formats.ts'
import { parseBankAmount, parseBankDate } from './statement-lines.ts'

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
    expect(() => read('Name,Telephone', 'Ann,1')).toThrow('The columns for the date and the amount were not found')
    expect(() => read('')).toThrow('The columns for the date and the amount were not found')
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
  test('in a combined debit and credit column, the indicator makes unsigned amounts money out or money in', () => {
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

  test('an outgoing refund is not counted as money in', () => {
    expect(amounts('Date,Description,Amount,Debit/Credit', '20/11/2026,REFUND INV-00012,120.00,Debit')).toEqual([
      '-120.00',
    ])
  })

  test('a file is refused if a column that may state the direction contains unknown words', () => {
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
    // If the amounts have signs, the words in other columns do not state a direction.
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
  test('an amount in another currency is never treated as pounds', () => {
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

  test('pending and reverted lines are left out and counted by reason', () => {
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

  test("the payer's text is found under any heading", () => {
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

  test('a date with a time is parsed as that date', () => {
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

  test("columns are read by the user's own mapping, even without headings", () => {
    const mapped = (text: string, columns: object, words: { moneyIn?: string[]; moneyOut?: string[] } = {}) =>
      parseStatement(text, {
        delimiter: ',',
        today: TODAY,
        mappingOf: () => ({ columns: columns as never, ...words }),
      }).lines
    expect(
      mapped(
        'When,Who,Sum,S/H\n20/11/2026,RENT,5.00,Soll\n20/11/2026,ACME,6.00,Haben',
        { When: 'day', Who: 'payer', Sum: 'amount', 'S/H': 'direction' },
        { moneyIn: ['haben'], moneyOut: ['soll'] },
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
          mapping: expect.objectContaining({
            columns: { 'Column 1': 'day', 'Column 2': 'reference', 'Column 3': 'amount' },
          }),
        }),
      }),
    )
  })
})
