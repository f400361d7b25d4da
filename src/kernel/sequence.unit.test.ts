import { expect, test } from 'vitest'
import { defineSequence, formatSequenceNumber } from './sequence.ts'

const invoices = { name: 'test_invoice', prefix: 'INV-', per: 'client and year', gapless: true, digits: 5 } as const

test('a sequence number is padded with zeros to the declared number of digits, and never truncated', () => {
  const s = defineSequence({ ...invoices, name: 'test_risk', prefix: 'RA-', per: 'client', digits: 4 })
  expect([1, 9999, 10_000].map((n) => formatSequenceNumber(s, n, 2026))).toEqual(['RA-0001', 'RA-9999', 'RA-10000'])
})

test('a number from a sequence that restarts every year contains the year', () => {
  expect(formatSequenceNumber(defineSequence(invoices), 12, 2026)).toBe('INV-2026-00012')
})

test('two different sequences with the same name are rejected, but the same sequence can be declared twice', () => {
  defineSequence(invoices)
  expect(() => defineSequence(invoices)).not.toThrow()
  expect(() => defineSequence({ ...invoices, digits: 6 })).toThrow('Two sequences have the name test_invoice')
})
