import { expect, test } from 'vitest'
import type { EventType } from '#kernel/event.ts'
import { DbUnavailableError } from '#server/db/unavailable.ts'
import type { BatchJobSpec } from '#server/engine/schedule.ts'
import type { Engine } from '#server/engine/types.ts'
import { processBatchJob } from './batch-job-turn.ts'

test('a batch job that can’t be leased although the database seems available is abandoned after several attempts', async () => {
  let asked = 0
  const tx = async () => {
    // Throws after fifty attempts, because an endless loop would block the test.
    if (++asked > 50) throw new Error('It is asked for ever')
    throw new DbUnavailableError('its pool is closed')
  }
  const db = { kind: 'server', origin: {}, tx, presence: { isAway: false, back: async () => true } }
  const doing = processBatchJob(
    { db } as unknown as Engine,
    {} as BatchJobSpec<unknown, unknown>,
    {} as EventType<unknown, { run: number }>,
    1,
    1,
  )
  await expect(doing).rejects.toBeInstanceOf(DbUnavailableError)
})
