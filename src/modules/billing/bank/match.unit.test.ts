import { describe, expect, test } from 'vitest'
import { findMatchFacts, indexOpenInvoices, matchBankLine, PayerIndex } from './match.ts'
import type { BankStatementLine } from './statement-lines.ts'

describe('matching a bank line', () => {
  const open = indexOpenInvoices([
    { id: 1, number: 'INV-00001', customer: 1, currency: 'GBP' as const, amountDue: 5000 },
    { id: 2, number: 'INV-00002', customer: 1, currency: 'GBP' as const, amountDue: 7000 },
    { id: 3, number: 'INV-00003', customer: 2, currency: 'GBP' as const, amountDue: 5000 },
    { id: 4, number: 'INV-00004', customer: 3, currency: 'EUR' as const, amountDue: 5000 },
  ])
  const payers = new PayerIndex()
  payers.add({ id: 1, names: ['Acme Roofing Ltd', 'Ann'] })
  payers.add({ id: 2, names: ['Brick & Sons Limited'] })
  payers.add({ id: 3, names: ['Brick and Sons Ltd'] })
  const match = (reference: string, amount: number, payer = '') => {
    const line: BankStatementLine = { day: '2026-11-05', amount, reference, payer }
    const { customer, invoice, sure } = matchBankLine({ ...line, currency: 'GBP' }, open, findMatchFacts(line, payers))
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

  test('a named payer outweighs an invoice number that belongs to another customer', () => {
    // INV-00003 belongs to customer 2, and INV-00001 of £50.00 to Acme Roofing.
    expect(match('OUR INV 3', 5000, 'Acme Roofing Ltd')).toEqual([1, 1, true])
    expect(match('OUR INV 3', 4000, 'Acme Roofing Ltd')).toEqual([1, null, false])
    expect(match('ACME ROOFING OUR INV 3', 5000)).toEqual([1, 1, true])
    expect(match('INV 1 ACME ROOFING', 5000, 'Brick & Sons Ltd')).toEqual([null, null, false])
    // A payer who is not a customer may pay on behalf of one.
    expect(match('INV 3', 5000, 'J HARGREAVES')).toEqual([2, 3, true])
    // Customers 2 and 3 have the same name, and the number decides between them.
    expect(match('INV 3', 5000, 'BRICK & SONS LTD')).toEqual([2, 3, true])
    expect(match('INV 1 INV 3', 5000, 'Acme Roofing')).toEqual([1, 1, true])
  })

  test('a refund is never proposed as a payment', () => {
    for (const words of ['REFUND INV-00002', 'INV-00002 refunded', 'Reversal INV-00002'])
      expect([words, match(words, 7000)[2]]).toEqual([words, false])
    expect(match('INV-00002', -7000)).toEqual([null, null, false])
    expect(match('INV-00002', 0)).toEqual([null, null, false])
  })
})
