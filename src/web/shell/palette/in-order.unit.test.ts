import fc from 'fast-check'
import { expect, test } from 'vitest'
import { paletteGroupsBeforePending } from './search.ts'

const groups = (...pending: boolean[]) => pending.map((p, n) => ({ n, pending: p }))
const numbers = (of: readonly { n: number }[]) => of.map((g) => g.n)

test('palette groups are shown in order up to the first pending one', () => {
  expect(numbers(paletteGroupsBeforePending(groups(false, false, true, false)))).toEqual([0, 1])
  expect(numbers(paletteGroupsBeforePending(groups(true, false)))).toEqual([])
  expect(numbers(paletteGroupsBeforePending(groups(false, false)))).toEqual([0, 1])
})

test('later palette groups are only appended, even if responses arrive out of order', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 8 }).chain((n) => fc.shuffledSubarray([...Array(n).keys()], { minLength: n })),
      (arrivals) => {
        let before: number[] = []
        for (let n = 0; n <= arrivals.length; n++) {
          const there = new Set(arrivals.slice(0, n))
          const shown = numbers(
            paletteGroupsBeforePending(arrivals.map((_, at) => ({ n: at, pending: !there.has(at) }))),
          )
          expect(shown.slice(0, before.length)).toEqual(before)
          before = shown
        }
        expect(before).toHaveLength(arrivals.length)
      },
    ),
  )
})
