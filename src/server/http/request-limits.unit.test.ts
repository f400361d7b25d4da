import { expect, test } from 'vitest'
import type { Actor } from '#kernel/roles.ts'
import { RequestLimits } from './request-limits.ts'

const person = (clientId: number, userId: number): Actor => ({
  clientId,
  userId,
  username: `u${userId}`,
  name: `U ${userId}`,
  roles: [],
  scopes: [],
})
const POST = { method: 'POST' }
const GET = { method: 'GET' }

/** Creates requests that remain pending until all are released. */
function held(shares: RequestLimits) {
  const end = Promise.withResolvers<void>()
  const begun: string[] = []
  const all: Promise<void>[] = []
  return {
    ask: (who: string, actor: Actor | undefined, of: Parameters<RequestLimits['run']>[1], times = 1) => {
      for (let n = 0; n < times; n++)
        all.push(
          shares.run(actor, of, () => {
            begun.push(who)
            return end.promise
          }),
        )
    },
    underWay: (who: string) => begun.filter((one) => one === who).length,
    letGo: async () => {
      end.resolve()
      await Promise.all(all)
    },
  }
}

test("one user's reads or writes use at most half of the database connections, and one client's requests leave two connections free for others", async () => {
  const shares = new RequestLimits(10)
  const { ask, underWay, letGo } = held(shares)
  ask('writer', person(1, 1), POST, 30)
  ask('colleague', person(1, 2), POST, 30)
  ask('stranger', person(2, 3), GET, 30)
  expect([underWay('writer'), underWay('colleague'), underWay('stranger')]).toEqual([5, 3, 5])
  await letGo()
  expect([underWay('writer'), underWay('colleague'), underWay('stranger')]).toEqual([30, 30, 30])
})

test('impersonation counts towards the limits of the real user', async () => {
  const { ask, underWay, letGo } = held(new RequestLimits(10))
  const visitors = [7, 8].map((userId) => ({ ...person(1, 1), original: person(0, userId) }))
  for (const visitor of visitors) ask('visitor', visitor, GET, 9)
  ask('client', person(1, 1), GET, 9)
  expect([underWay('visitor'), underWay('client')]).toEqual([8, 5])
  await letGo()
})

test("anonymous requests share one limit, and uploads and file generation don't count towards the client's limit", async () => {
  const { ask, underWay, letGo } = held(new RequestLimits(10))
  ask('nobody', undefined, POST, 20)
  ask('upload', person(1, 1), { ...POST, upload: true }, 20)
  for (const userId of [1, 2, 3]) ask('paper', person(1, userId), { ...GET, bytes: true }, 9)
  for (const userId of [4, 5, 6]) ask('export', person(1, userId), { ...GET, bytes: true, changes: true }, 9)
  expect(['nobody', 'upload', 'paper', 'export'].map(underWay)).toEqual([8, 20, 15, 8])
  await letGo()
})

test("a user's request is rejected if the same user already has too many queued requests", async () => {
  const shares = new RequestLimits(10)
  const { ask, letGo } = held(shares)
  ask('writer', person(1, 1), POST, 105)
  await expect(shares.run(person(1, 1), POST, async () => 'late')).rejects.toMatchObject({ status: 429 })
  expect(await shares.run(person(1, 2), POST, async () => 'other')).toBe('other')
  await letGo()
})
