import { expect, test } from 'vitest'
import { ServerAvailabilityMonitor } from './availability.ts'
import { connectToDbServer } from './server.ts'
import { DbUnavailableError } from './unavailable.ts'

/** No server listens on this port. */
const NOWHERE = 'postgres://nobody@127.0.0.1:1/nothing'

test('a closed database connection rejects requests and never becomes available again', async () => {
  const db = connectToDbServer(NOWHERE, 1)
  await db.close()
  await expect(db.tx('system', () => Promise.resolve())).rejects.toBeInstanceOf(DbUnavailableError)
  expect(await db.presence.back(60_000)).toBe(false)
})

test('waiting for an unavailable database ends without success if the monitor is closed meanwhile', async () => {
  const reach = new ServerAvailabilityMonitor(NOWHERE)
  expect(await reach.look()).toBe(false)
  const waits = reach.back(60_000)
  reach.close()
  expect(await waits).toBe(false)
})
