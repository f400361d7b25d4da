import type { ChildProcess } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createSystemActor, PROVIDER_CLIENT_ID } from '#kernel/roles.ts'
import { testPortal } from '#test/support/portal.ts'
import { countedEvent, countingModule } from './lane-process.ts'
import { killProcess, startQueueProcess } from './lane-processes.ts'

// Two processes on one PostgreSQL server are killed repeatedly. Every handler gets every event once.

describe('events on a database server', () => {
  test('events are delivered once to each handler, even if both processes are killed repeatedly', async () => {
    const portal = await (await testPortal()).with({}, [countingModule])
    const { db } = portal
    const { url } = db.origin
    await db.tx('owner', (tx) =>
      tx.script(
        'CREATE TABLE told (listener text NOT NULL, n int NOT NULL); GRANT SELECT, INSERT ON told TO stanchion_tenant',
      ),
    )
    const put = (numbers: readonly number[]) =>
      portal.engine.inTenant(
        PROVIDER_CLIENT_ID,
        { actor: createSystemActor(PROVIDER_CLIENT_ID, 'test'), requestId: 'test' },
        async (c) => {
          for (const n of numbers) await c.emit(countedEvent, { n })
          return () => undefined
        },
      )
    const count = async (sql: string) =>
      (await db.tx('owner', (tx) => tx.rows<{ n: number }>(`SELECT count(*)::int AS n FROM ${sql}`)))[0]?.n
    /** Makes claims and delays expire immediately, even for running processes, which must detect this. */
    const hurry = () =>
      db.tx('owner', async (tx) => {
        await tx.rows("UPDATE pgboss.job SET state = 'retry', retry_limit = retry_limit + 1 WHERE state = 'active'")
        await tx.rows("UPDATE pgboss.job SET start_after = now() WHERE state = 'retry'")
      })

    let next = 0
    const chaos = fc.asyncProperty(fc.array(fc.nat({ max: 400 }), { minLength: 2, maxLength: 4 }), async (pauses) => {
      const from = next
      const pair = [await startQueueProcess(url), await startQueueProcess(url)]
      for (const [k, pause] of pauses.entries()) {
        await put(Array.from({ length: 40 }, () => next++))
        await sleep(pause)
        await killProcess(pair[k % 2] as ChildProcess)
        await hurry()
        pair[k % 2] = await startQueueProcess(url)
      }
      while (
        (await count('outbox WHERE relayed_at IS NULL')) ||
        (await count("pgboss.job WHERE state <> 'completed'"))
      ) {
        await hurry()
        await sleep(200)
        if (await count("pgboss.job WHERE state = 'failed'")) throw new Error('A job has failed for good')
      }
      await Promise.all(pair.map(killProcess))
      const told = await db.tx('owner', (tx) =>
        tx.rows<{ listener: string; n: number }>('SELECT listener, n FROM told WHERE n >= $1 ORDER BY 1, 2', [from]),
      )
      const each = (listener: string) => Array.from({ length: next - from }, (_, k) => ({ listener, n: from + k }))
      expect(told).toEqual([...each('one'), ...each('two')])
    })
    await fc.assert(chaos, { numRuns: 2, endOnFailure: true })
  })
})
