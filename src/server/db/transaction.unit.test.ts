import { expect, test } from 'vitest'
import type { Connection } from './connection.ts'
import { Names } from './names.ts'
import { Transaction } from './transaction.ts'

const INSERT = { text: 'INSERT' }
const SELECT = { text: 'SELECT' }

/** What a transaction sends, journey by journey, on a connection that knows the statements or does not. */
async function sentBy(work: (opened: Transaction) => Promise<unknown>, isKnown = true, tenant = true) {
  const sent: string[] = []
  const names = new Names()
  for (const { text } of [INSERT, SELECT]) for (let use = 0; use < 3; use++) names.of(text)
  const line = {
    ask: (send: (line: unknown) => Promise<unknown>) => send(line),
    askFirst: (send: (line: unknown) => Promise<unknown>) => send(line),
    knows: () => isKnown,
    run: async (text: string) => {
      sent.push(text)
      return { command: text }
    },
    arrays: async (text: string) => {
      sent.push(text)
      return []
    },
    usual: async ({ name }: { name: string }, _values: unknown, along?: { before: Buffer; behind: Buffer }) => {
      const text = { s1: 'INSERT', s2: 'SELECT' }[name]
      const before = along?.before.includes('BEGIN') ? 'BEGIN, tenant, ' : along?.before.length ? 'tenant, ' : ''
      sent.push(`${before}${text}${along?.behind.includes('COMMIT') ? ', COMMIT' : ''}`)
      return []
    },
  }
  const opened = new Transaction(line as unknown as Connection, names, {
    text: 'BEGIN; SET',
    tenant: tenant ? ['1', '2'] : undefined,
  })
  await work(opened)
  await opened.end()
  return sent
}

test('a write without a look first is one journey, one with a look two', async () => {
  expect(await sentBy((t) => t.commitWith(INSERT, []))).toEqual(['tenant, INSERT'])
  expect(
    await sentBy(async (t) => {
      await t.arrays(SELECT, [])
      return t.commitWith(INSERT, [])
    }),
  ).toEqual(['BEGIN, tenant, SELECT', 'INSERT, COMMIT'])
})

test('what is not known yet, or is not a tenant’s, is sent with texts before and behind it', async () => {
  for (const [isKnown, tenant] of [
    [false, true],
    [true, false],
  ] as const)
    expect((await sentBy((t) => t.commitWith(INSERT, []), isKnown, tenant)).join()).toBe('BEGIN; SET,INSERT,COMMIT')
})

test('a transaction that asks nothing sends nothing', async () => {
  expect(await sentBy(async () => {})).toEqual([])
})
