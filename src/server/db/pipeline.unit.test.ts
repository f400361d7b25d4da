import type pg from 'pg'
import { expect, test } from 'vitest'
import { StatementPipeline, WITH_COMMIT, withBeginAndTenant } from './pipeline.ts'

type ConnectionReply = ['row', string] | ['done'] | ['refused', Error] | ['ready']

/** Returns the results of three statements for these server messages; `s1` opens a transaction, `s3` commits it. */
function heardOf(...said: ConnectionReply[]) {
  const journey = new StatementPipeline()
  const heard: unknown[] = []
  const add = (name: string, along?: typeof WITH_COMMIT) =>
    journey.add({ name, columns: [] }, [name], along, (e, rows) => heard.push([name, e?.message ?? rows.flat()]))
  const written: Buffer[] = []
  journey.submit({ stream: { writable: true, write: (b: Buffer) => written.push(b) } } as unknown as pg.Connection)
  add('s1', withBeginAndTenant(['1', '2']))
  add('s2')
  add('s3', WITH_COMMIT)
  journey.depart()
  for (const [what, value] of said) {
    if (what === 'row') journey.handleDataRow({ fields: [value] })
    if (what === 'done') journey.handleCommandComplete()
    if (what === 'refused') journey.handleError(value)
    if (what === 'ready') journey.handleReadyForQuery()
  }
  return { heard, written, add }
}

const done: ConnectionReply = ['done']
const opened: ConnectionReply[] = [done, ['row', 'of the tenant'], done]

test('statements issued in one event-loop turn are sent in one write with one Sync, and each gets its own rows', () => {
  const { heard, written } = heardOf(...opened, ['row', 'a'], done, done, ['row', 'b'], ['row', 'c'], done, done, [
    'ready',
  ])
  expect(heard).toEqual([
    ['s1', ['a']],
    ['s2', []],
    ['s3', ['b', 'c']],
  ])
  expect(written).toHaveLength(1)
  const text = written[0]?.toString('latin1') ?? ''
  expect(text.split('S\0\0\0\x04')).toHaveLength(2)
  expect(text.endsWith('S\0\0\0\x04')).toBe(true)
  expect(text.indexOf('BEGIN')).toBeLessThan(text.indexOf('s2'))
  expect(text.indexOf('s3')).toBeLessThan(text.indexOf('COMMIT'))
})

test('if a statement fails, later statements in the pipeline are skipped and fail with the same error', () => {
  const { heard, add } = heardOf(...opened, ['row', 'a'], done, ['refused', new Error('taken')])
  expect(heard).toEqual([
    ['s1', ['a']],
    ['s2', 'taken'],
    ['s3', 'taken'],
  ])
  add('s4')
  expect(heard.at(-1)).toEqual(['s4', 'taken'])
})

test('a statement fails if its commit fails or has an unknown outcome', () => {
  const all: ConnectionReply[] = [...opened, done, done, ['row', 'c'], done]
  for (const said of [all, [...all, done]])
    expect(heardOf(...said, ['refused', new Error('broken')]).heard.at(-1)).toEqual(['s3', 'broken'])
})
