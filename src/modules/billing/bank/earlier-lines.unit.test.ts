import { describe, expect, test } from 'vitest'
import { compareWithEarlierLines, computeBankStatementLineKeys, type EarlierBankLine } from './earlier-lines.server.ts'
import type { BankStatementLine } from './statement-lines.ts'

describe('lines of earlier bank statements', () => {
  const line: BankStatementLine = { day: '2026-11-05', amount: 100, reference: 'A', payer: '' }
  const earlier = async (lines: readonly BankStatementLine[]): Promise<EarlierBankLine[]> => {
    const keys = await computeBankStatementLineKeys(lines, 'GBP')
    return lines.map((one, n) => ({
      bankId: '',
      currency: 'GBP',
      statement: 'first.csv',
      ...one,
      key: keys[n] as string,
    }))
  }
  const repeats = async (before: readonly BankStatementLine[], after: readonly BankStatementLine[]) => {
    const keys = await computeBankStatementLineKeys(after, 'GBP')
    const found = await compareWithEarlierLines(after, keys, 'GBP', await earlier(before))
    return found.map((one) => (typeof one === 'string' ? one : 'similar'))
  }

  test('identical lines of a bank statement are numbered in order', async () => {
    const [one, two] = await computeBankStatementLineKeys([line, line], 'GBP')
    expect(one).not.toBe(two)
    expect(await computeBankStatementLineKeys([{ ...line, reference: 'a' }], 'GBP')).toEqual([one])
    expect(await computeBankStatementLineKeys([line], 'EUR')).not.toEqual([one])
    expect(await computeBankStatementLineKeys([{ ...line, currency: 'EUR' }], 'GBP')).toEqual(
      await computeBankStatementLineKeys([line], 'EUR'),
    )
  })

  test('a payment is recognised in another format from the same bank, or marked as similar', async () => {
    const csv = { ...line, reference: 'ACME LTD INV-00012' }
    expect(await repeats([csv], [{ ...line, payer: 'Acme Ltd', reference: 'INV-00012', bankId: '1/1' }])).toEqual([
      'known',
    ])
    expect(await repeats([csv], [{ ...line, payer: 'ACME LTD', reference: 'FPS 20/11', bankId: '1/1' }])).toEqual([
      'similar',
    ])
    expect(await repeats([{ ...line, reference: '' }], [csv])).toEqual(['similar'])
    expect(await repeats([csv], [{ ...line, reference: 'ACME LTD INV-00013' }])).toEqual(['new'])
    expect(
      await repeats([{ ...line, reference: 'INV-00012 with thanks' }], [{ ...line, reference: 'INV-00013' }]),
    ).toEqual(['new'])
    expect(await repeats([{ ...line, reference: 'ACME LTD' }], [{ ...line, reference: 'BETA LTD' }])).toEqual(['new'])
    expect(
      await repeats(
        [csv],
        [
          { ...csv, day: '2026-11-06' },
          { ...csv, amount: 101 },
          { ...csv, currency: 'EUR' },
        ],
      ),
    ).toEqual(['new', 'new', 'new'])
  })

  test('each earlier line matches only one new line', async () => {
    expect(await repeats([line], [line, line])).toEqual(['known', 'new'])
    expect(await repeats([line, line], [line, line])).toEqual(['known', 'known'])
    const [one, two] = [
      { ...line, bankId: '1/1' },
      { ...line, bankId: '1/2' },
    ]
    expect(await repeats([one], [two, one])).toEqual(['new', 'known'])
    expect(await repeats([one], [{ ...one, reference: 'other words' }])).toEqual(['known'])
    // The bank may have given the payment another ID in the second file.
    expect(await repeats([one], [two])).toEqual(['similar'])
  })

  test('twenty thousand identical lines are compared in less than three seconds', async () => {
    const [before, after] = ['x', 'y'].map((word) =>
      Array.from({ length: 20_000 }, (_, n) => ({ ...line, reference: `${word} ${n}` })),
    )
    const start = process.cpuUsage()
    await repeats(before ?? [], after ?? [])
    expect(process.cpuUsage(start).user / 1e6).toBeLessThan(3)
  })
})
