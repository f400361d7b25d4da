import type { ChildProcess } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createSystemActor, PROVIDER_CLIENT_ID } from '#kernel/roles.ts'
import type { Context } from '#server/engine/types.ts'
import { startBatchJob, undoBatchJob } from '#server/jobs/batch-job-control.ts'
import { recoverBatchJobs } from '#server/jobs/batch-job-store.ts'
import { testPortal } from '#test/support/portal.ts'
import { countingModule, numberingJob } from './lane-process.ts'
import { killProcess, startQueueProcess } from './lane-processes.ts'

// Two processes on one PostgreSQL server are killed repeatedly. Every step of every batch job is executed once, and
// undone once.

const RUNS = 3
const NUMBERS = 60

describe('batch jobs on a database server', () => {
  test('batch jobs execute each step once, even if both processes are killed repeatedly', async () => {
    const portal = await (await testPortal()).with({}, [countingModule])
    const { db, engine } = portal
    const { url } = db.origin
    await db.tx('owner', (tx) =>
      tx.script(
        'CREATE TABLE numbered (run bigint NOT NULL, n int NOT NULL); GRANT SELECT, INSERT ON numbered TO stanchion_tenant',
      ),
    )
    const inProvider = <T>(work: (c: Context) => Promise<T>) =>
      engine.inTenant(
        PROVIDER_CLIENT_ID,
        { actor: createSystemActor(PROVIDER_CLIENT_ID, 'test'), requestId: 'test' },
        async (c) => {
          const value = await work(c)
          return () => value
        },
      )
    /**
     * Makes leases expire and jobs available for reassignment immediately, even those of running processes, which must
     * detect this.
     */
    const hurry = async () => {
      await db.tx('owner', async (tx) => {
        await tx.rows("UPDATE run SET lease_until = now() - interval '1 second' WHERE lease IS NOT NULL")
        await tx.rows("UPDATE pgboss.job SET state = 'retry', retry_limit = retry_limit + 1 WHERE state = 'active'")
        await tx.rows("UPDATE pgboss.job SET start_after = now() WHERE state = 'retry'")
      })
      await recoverBatchJobs(engine)
    }
    const statesOf = (ids: readonly number[]) =>
      db.tx('system', (tx) =>
        tx.rows<{ state: string; done: number; undone: number }>(
          'SELECT state, done, undone FROM run WHERE id = ANY($1) ORDER BY id',
          [ids],
        ),
      )
    const killing = async (pauses: readonly number[], ids: readonly number[], end: string) => {
      const pair: ChildProcess[] = [await startQueueProcess(url), await startQueueProcess(url)]
      for (const [k, pause] of pauses.entries()) {
        await sleep(pause)
        await killProcess(pair[k % 2] as ChildProcess)
        await hurry()
        pair[k % 2] = await startQueueProcess(url)
      }
      while ((await statesOf(ids)).some(({ state }) => state !== end)) {
        if ((await statesOf(ids)).some(({ state }) => state === 'failed')) throw new Error('A run has failed')
        await sleep(200)
        await hurry()
      }
      await Promise.all(pair.map(killProcess))
    }
    const written = (ids: readonly number[]) =>
      db.tx('owner', (tx) =>
        tx.rows<{ n: number }>('SELECT n FROM numbered WHERE run = ANY($1) ORDER BY run, n', [ids]),
      )

    const pauses = fc.array(fc.nat({ max: 300 }), { minLength: 2, maxLength: 4 })
    const chaos = fc.asyncProperty(pauses, pauses, async (there, back) => {
      const ids = await inProvider(async (c) => {
        const made: number[] = []
        for (let k = 0; k < RUNS; k++) made.push(await startBatchJob(c, numberingJob, { numbers: NUMBERS }))
        return made
      })
      await killing(there, ids, 'done')
      const up = Array.from({ length: NUMBERS }, (_, k) => ({ n: k + 1 }))
      expect(await written(ids)).toEqual(ids.flatMap(() => up))
      await inProvider(async (c) => {
        for (const id of ids) await undoBatchJob(c, numberingJob, id)
      })
      await killing(back, ids, 'undone')
      const down = up.map(({ n }) => ({ n: n - NUMBERS - 1 }))
      expect(await written(ids)).toEqual(ids.flatMap(() => [...down, ...up]))
      expect(await statesOf(ids)).toEqual(ids.map(() => ({ state: 'undone', done: NUMBERS, undone: NUMBERS })))
    })
    await fc.assert(chaos, { numRuns: 1, endOnFailure: true })
  })
})
