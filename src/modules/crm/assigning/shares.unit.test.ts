import fc from 'fast-check'
import { expect, test } from 'vitest'
import { divideLeads, findNextAssigneeIndex } from './routes.server.ts'

const takers = fc.array(fc.option(fc.nat(30)), { maxLength: 6 }).map((rooms) => rooms.map((room, id) => ({ id, room })))

test("shares add up to the number of leads, respect each person's capacity and are as even as possible", () => {
  fc.assert(
    fc.property(fc.nat(200), takers, (leads, people) => {
      const { shares, left } = divideLeads(leads, people)
      expect(shares.reduce((a, b) => a + b, left)).toBe(leads)
      for (const [n, { room }] of people.entries()) expect(shares[n]).toBeLessThanOrEqual(room ?? leads)
      const open = shares.filter((share, n) => share < (people[n]?.room ?? Number.POSITIVE_INFINITY))
      // No leads are left over while a person has capacity. The shares of people with capacity differ by one lead at
      // most.
      expect(left === 0 || !open.length).toBe(true)
      for (const share of open) expect(Math.max(0, ...shares) - share).toBeLessThanOrEqual(1)
    }),
  )
})

test('leads are assigned to people in turn until all shares are used up', () => {
  const shares = [2, 0, 3]
  const given = [0, 0, 0]
  const order: number[] = []
  for (
    let last = -1, at = findNextAssigneeIndex(shares, given, last);
    at !== undefined;
    at = findNextAssigneeIndex(shares, given, last)
  ) {
    given[at] = (given[at] ?? 0) + 1
    order.push(at)
    last = at
  }
  expect(order).toEqual([0, 2, 0, 2, 2])
})
