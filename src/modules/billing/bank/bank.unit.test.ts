import { describe, expect, test } from 'vitest'
import {
  type BankStatementLine,
  bankStatementLineKeys,
  indexPayersByFirstWord,
  matchBankLine,
  parseBankAmount,
  parseBankDate,
  parseBankStatement,
} from './statement-csv.ts'

const read = (...rows: string[]) => parseBankStatement(rows.join('\n'), ',', '2026-11-26')

describe('a bank statement', () => {
  test('a bank statement is parsed in the formats that banks use', () => {
    const line = { day: '2026-11-05', amount: 12_000, reference: 'INV-00012', payer: 'ACME LTD' }
    expect(
      read(
        'Date,Counter Party,Reference,Type,Amount (GBP),Balance (GBP)',
        '05/11/2026,ACME LTD,INV-00012,FPS,120.00,99.00',
      ).lines,
    ).toEqual([line])
    expect(
      read(
        'Transaction Date,Transaction Type,Sort Code,Account Number,Transaction Description,Debit Amount,Credit Amount,Balance',
        "05/11/2026,FPI,'30-00-00,123,ACME LTD INV-00012,,120.00,200.00",
        '06/11/2026,DD,30-00-00,123,RENT,"1,000.00",,-800.00',
      ).lines,
    ).toEqual([
      { ...line, reference: 'ACME LTD INV-00012', payer: '' },
      { day: '2026-11-06', amount: -100_000, reference: 'RENT', payer: '' },
    ])
    expect(
      read('Account name,Ours', 'Sort code,30-00-00', 'Date,Description,Value', '5 Nov 2026,x,"£1,234.50"').lines,
    ).toEqual([{ day: '2026-11-05', amount: 123_450, reference: 'x', payer: '' }])
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
    expect(
      ['28/02/2026', '28-2-26', '28 Feb 2026', '28 February 26', '2026-02-28', '2026-02-28T10:00:00Z'].map(
        parseBankDate,
      ),
    ).toEqual(Array(6).fill('2026-02-28'))
    expect(['29/02/2026', '13/13/2026', '2026', 'x', '28 Fub 2026'].map(parseBankDate)).toEqual(
      Array(5).fill(undefined),
    )
    expect(['120.00', '£120', '+120.00', '120.00 CR', '€120.00'].map(parseBankAmount)).toEqual(Array(5).fill(12_000))
    expect(['-120.00', '(120.00)', '120.00 DR', '-£120.00'].map(parseBankAmount)).toEqual(Array(4).fill(-12_000))
    expect(['', '1.2.3', '(120.00', '=1+1', '0.001', 'NaN'].map(parseBankAmount)).toEqual(Array(6).fill(undefined))
  })

  test('identical lines of a bank statement are numbered in order', () => {
    const line = { day: '2026-11-05', amount: 100, reference: 'A', payer: '' }
    const [one, two] = bankStatementLineKeys([line, line], 'GBP')
    expect(one).not.toBe(two)
    expect(bankStatementLineKeys([{ ...line, reference: 'a' }], 'GBP')).toEqual([one])
    expect(bankStatementLineKeys([line], 'EUR')).not.toEqual([one])
  })
})

describe('matching a bank line', () => {
  const open = [
    { id: 1, number: 'INV-00001', customer: 1, currency: 'GBP' as const, amountDue: 5000 },
    { id: 2, number: 'INV-00002', customer: 1, currency: 'GBP' as const, amountDue: 7000 },
    { id: 3, number: 'INV-00003', customer: 2, currency: 'GBP' as const, amountDue: 5000 },
    { id: 4, number: 'INV-00004', customer: 3, currency: 'EUR' as const, amountDue: 5000 },
  ]
  const payers = indexPayersByFirstWord([
    { id: 1, names: ['Acme Roofing Ltd', 'Ann'] },
    { id: 2, names: ['Brick & Sons Limited'] },
    { id: 3, names: ['Brick and Sons Ltd'] },
  ])
  const match = (reference: string, amount: number, payer = '') => {
    const line: BankStatementLine = { day: '2026-11-05', amount, reference, payer }
    const { customer, invoice, sure } = matchBankLine({ ...line, currency: 'GBP' }, open, payers)
    return [customer, invoice, sure]
  }

  test('a bank line is matched to the invoice whose number it contains, in full or in part', () => {
    for (const words of ['INV-00002', 'inv 2', 'INVOICE NO. 00002 THANKS', 'Acme INV00002', 'invoice number 2'])
      expect([words, ...match(words, 7000)]).toEqual([words, 1, 2, true])
    expect(match('INV-00002', 100)).toEqual([1, 2, true])
    // An overpayment is not a certain match, so staff must confirm it.
    expect(match('INV-00002', 7001)).toEqual([1, 2, false])
    expect(match('INV-1 INV-2', 12_000)).toEqual([1, null, false])
    expect(match('INV-1 INV-3', 10_000)).toEqual([null, null, false])
    // INV-00004 is in euros, so it can't match.
    expect(match('INV-00004', 5000)).toEqual([null, null, false])
    expect(match('2', 7000)).toEqual([null, null, false])
  })

  test('a bank line is matched by amount only if it names a customer with exactly one invoice of that amount', () => {
    expect(match('thanks', 5000, 'ACME ROOFING')).toEqual([1, 1, true])
    expect(match('Payment from acme roofing limited', 7000)).toEqual([1, 2, true])
    expect(match('thanks', 5001, 'ACME ROOFING')).toEqual([1, null, false])
    expect(match('thanks', 5000)).toEqual([null, null, false])
    expect(match('thanks', 5000, 'BRICK & SONS LTD')).toEqual([null, null, false])
    // The name is too short to identify a customer.
    expect(match('Ann', 5000)).toEqual([null, null, false])
  })
})
