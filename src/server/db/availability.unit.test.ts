import { expect, test } from 'vitest'
import { ServerAvailability } from './availability.ts'
import { openServer } from './server.ts'
import { Unavailable } from './unavailable.ts'

/** Nobody listens there. */
const NOWHERE = 'postgres://nobody@127.0.0.1:1/nothing'

test('a database that this program has closed is not there for whoever still asks, and does not come back', async () => {
  const db = openServer(NOWHERE, 1)
  await db.close()
  await expect(db.tx('system', () => Promise.resolve())).rejects.toBeInstanceOf(Unavailable)
  expect(await db.presence.back(60_000)).toBe(false)
})

test('whoever waits for a database that is away hears that it is closed, not that it is back', async () => {
  const reach = new ServerAvailability(NOWHERE)
  expect(await reach.look()).toBe(false)
  const waits = reach.back(60_000)
  reach.close()
  expect(await waits).toBe(false)
})
