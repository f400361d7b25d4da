import { expect, test } from 'vitest'
import { LateAnswers } from './late-answers.ts'

test('work that takes longer than a request continues, and a later request collects its answer once', async () => {
  const late = new LateAnswers<string>({ waitMs: 1, storeMs: 60_000 })
  const { promise, resolve } = Promise.withResolvers<string>()
  let started = 0
  const work = () => {
    started++
    return promise
  }
  expect(await late.ask('sheet', work)).toBeUndefined()
  expect(await late.ask('sheet', work)).toBeUndefined()
  expect(await late.ask('other', () => Promise.resolve('at once'))).toBe('at once')
  resolve('read')
  expect(await late.ask('sheet', work)).toBe('read')
  expect(started).toBe(1)
  expect(await late.ask('sheet', () => Promise.resolve('again'))).toBe('again')
})

test('a request that collects failed work is rejected, and the next request starts the work again', async () => {
  const late = new LateAnswers<string>({ waitMs: 1, storeMs: 60_000 })
  const { promise, reject } = Promise.withResolvers<string>()
  expect(await late.ask('sheet', () => promise)).toBeUndefined()
  reject(new Error('damaged'))
  await expect(late.ask('sheet', () => promise)).rejects.toThrow('damaged')
  expect(await late.ask('sheet', () => Promise.resolve('read'))).toBe('read')
})
