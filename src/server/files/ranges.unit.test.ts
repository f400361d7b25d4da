import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseRangeHeader } from './port.ts'

test('Range headers sent by browsers and download managers are parsed', () => {
  expect(parseRangeHeader('bytes=0-0', 10)).toEqual({ start: 0, end: 0 })
  expect(parseRangeHeader('bytes=5-', 10)).toEqual({ start: 5, end: 9 })
  expect(parseRangeHeader('bytes=-4', 10)).toEqual({ start: 6, end: 9 })
  expect(parseRangeHeader('bytes=-40', 10)).toEqual({ start: 0, end: 9 })
  expect(parseRangeHeader('bytes=10-', 10)).toBe('none')
  expect(parseRangeHeader('bytes=-0', 10)).toBe('none')
  for (const header of [undefined, '', 'bytes=', 'bytes=-', 'bytes=4-2', 'bytes=1-2,3-4', 'rows=1-2', 'bytes=a-b'])
    expect(parseRangeHeader(header, 10)).toBeUndefined()
})

test('a requested range is limited to the size of the file', () => {
  fc.assert(
    fc.property(fc.nat(2000), fc.option(fc.nat(2000)), fc.option(fc.nat(2000)), (total, from, to) => {
      const range = parseRangeHeader(`bytes=${from ?? ''}-${to ?? ''}`, total)
      if (range === undefined || range === 'none') return
      expect(range.start).toBeGreaterThanOrEqual(0)
      expect(range.end).toBeLessThan(total)
      expect(range.start).toBeLessThanOrEqual(range.end)
    }),
  )
})
