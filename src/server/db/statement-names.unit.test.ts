import { expect, test } from 'vitest'
import { StatementNames } from './pipeline.ts'

test('a SQL statement gets a name on its third use and retains it', () => {
  const names = new StatementNames()
  const given = [1, 2, 3, 4].map(() => names.of('SELECT 1'))
  expect(given.slice(0, 2)).toEqual([undefined, undefined])
  expect(given[2]).toBeDefined()
  expect(given[3]).toBe(given[2])
  expect(names.of('SELECT 2')).toBeUndefined()
})

test('no two SQL statements are given the same name, even after a statement has lost its name', () => {
  const names = new StatementNames()
  const given = new Set<string | undefined>()
  for (let n = 0; n < 1000; n++) for (let use = 0; use < 3; use++) given.add(names.of(`SELECT ${n}`)?.name)
  given.delete(undefined)
  expect(given.size).toBe(1000)
  const first = [1, 2, 3].map(() => names.of('SELECT 0')?.name).at(-1)
  expect(given.has(first)).toBe(false)
})

test('after ten thousand different SQL statements, at most 700 are cached, and a constantly used one retains its name', () => {
  const names = new StatementNames()
  const usual = () => names.of('SELECT usual')
  const name = [1, 2, 3].map(usual).at(-1)
  for (let n = 0; n < 10_000; n++) {
    names.of(`SELECT ${n}`)
    if (n % 100 === 0) expect(usual()).toBe(name)
  }
  expect(names.size).toBeLessThanOrEqual(700)
})

test('a very long SQL statement gets no name and is not cached', () => {
  const names = new StatementNames()
  const long = `SELECT '${'x'.repeat(30_000)}'`
  expect([1, 2, 3, 4].map(() => names.of(long))).toEqual([undefined, undefined, undefined, undefined])
  expect(names.size).toBe(0)
})
