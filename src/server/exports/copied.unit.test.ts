import { Writable } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { inlineValues } from '#server/db/copy.ts'
import { CsvCopyWriter } from './copied.ts'

/** A slow writable stream. */
function slowly() {
  const written: Buffer[] = []
  const waiting: (() => void)[] = []
  const to = new Writable({
    highWaterMark: 1024,
    write: (chunk: Buffer, _, done) => {
      written.push(chunk)
      waiting.push(done)
    },
  })
  const go = () => {
    for (const done of waiting.splice(0)) done()
  }
  return { to, go, text: () => Buffer.concat(written).toString() }
}

describe('rows read with COPY', () => {
  test('rows read with COPY get CSV line endings, and retain line breaks within cells', async () => {
    const { to, go, text } = slowly()
    const rows = new CsvCopyWriter(to, 'A,B\r\n')
    rows.take(Buffer.from('1,"one\ntwo"\n'))
    rows.take(Buffer.from('2,\n'))
    const ended = rows.end()
    for (let n = 0; n < 5; n++) {
      go()
      await turn()
    }
    await ended
    expect([text(), rows.rows]).toEqual(['A,B\r\n1,"one\ntwo"\r\n2,\r\n', 2])
  })

  test('reading rows with COPY pauses while the file cannot accept more data, even if the rows are very long', async () => {
    const { to, go, text } = slowly()
    const rows = new CsvCopyWriter(to, '')
    const long = 'x'.repeat(300_000)
    expect(rows.take(Buffer.from(`${long}\n`))).toBe(true)
    expect(rows.take(Buffer.from(`${long}\n`))).toBe(false)
    let isFree = false
    rows.whenFree(() => {
      isFree = true
    })
    await turn()
    expect(isFree).toBe(false)
    for (let n = 0; n < 5; n++) {
      go()
      await turn()
    }
    expect(isFree).toBe(true)
    const ended = rows.end()
    for (let n = 0; n < 5; n++) {
      go()
      await turn()
    }
    await ended
    expect(text()).toBe(`${long}\r\n${long}\r\n`)
  })

  test('after a write error, rows read with COPY are discarded, and the error is thrown at the end', async () => {
    const to = new Writable({ write: (_chunk, _, done) => done(new Error('The disk is full')) })
    const rows = new CsvCopyWriter(to, 'A\r\n')
    await turn()
    expect(rows.take(Buffer.from('1\n'))).toBe(true)
    await expect(rows.end()).rejects.toThrow('The disk is full')
  })
})

describe('a statement with inlined values', () => {
  test('a statement with inlined values contains each value as a correctly escaped literal', () => {
    const text = inlineValues('SELECT $1::text, $2::int[], $3, $10 + $1', [
      "it's $2",
      [1, 2],
      null,
      4,
      5,
      6,
      7,
      8,
      9,
      'a\\b',
    ])
    expect(text).toBe(`SELECT 'it''s $2'::text, '{"1","2"}'::int[], NULL,  E'a\\\\b' + 'it''s $2'`)
  })

  test("a statement can't be inlined if a placeholder has no value", () => {
    expect(() => inlineValues('SELECT $2', [1])).toThrow('No value is bound to $2')
  })
})
