import { expect, test } from 'vitest'
import type { PgConnection } from './connection.ts'
import { StatementNames } from './pipeline.ts'
import { DbTransaction } from './transaction.ts'

const INSERT = { text: 'INSERT' }
const SELECT = { text: 'SELECT' }

/**
 * Returns what a transaction sends in each round trip. `isKnown`: whether the connection has already prepared the
 * statements.
 */
async function sentBy(work: (opened: DbTransaction) => Promise<unknown>, isKnown = true, tenant = true) {
  const sent: string[] = []
  const names = new StatementNames()
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
  const opened = new DbTransaction(line as unknown as PgConnection, names, {
    text: 'BEGIN; SET',
    tenant: tenant ? ['1', '2'] : undefined,
  })
  await work(opened)
  await opened.end()
  return sent
}

test('a write transaction takes one round trip, or two if it reads first', async () => {
  expect(await sentBy((t) => t.commitWith(INSERT, []))).toEqual(['tenant, INSERT'])
  expect(
    await sentBy(async (t) => {
      await t.arrays(SELECT, [])
      return t.commitWith(INSERT, [])
    }),
  ).toEqual(['BEGIN, tenant, SELECT', 'INSERT, COMMIT'])
})

test('a statement that is unprepared or has no tenant is sent between BEGIN and COMMIT', async () => {
  for (const [isKnown, tenant] of [
    [false, true],
    [true, false],
  ] as const)
    expect((await sentBy((t) => t.commitWith(INSERT, []), isKnown, tenant)).join()).toBe('BEGIN; SET,INSERT,COMMIT')
})

test('a transaction without statements sends nothing', async () => {
  expect(await sentBy(async () => {})).toEqual([])
})
