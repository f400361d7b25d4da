import type { PGlite } from '@electric-sql/pglite'
import type { FastifyBaseLogger } from 'fastify'
import { PgBoss } from 'pg-boss'
import type { Engine } from '#server/engine.ts'
import { Outbox } from './outbox.ts'

export interface Jobs {
  readonly outbox: Outbox
  stop(): Promise<void>
}

/** pg-boss speaks to the embedded database as its owner, one exclusive statement at a time. */
const adapter = (pglite: PGlite) => ({
  executeSql: async (text: string, values?: unknown[]) =>
    values?.length
      ? pglite.transaction(async (tx) => {
          await tx.exec('SET LOCAL ROLE NONE')
          return (await tx.query(text, values)) as { rows: unknown[] }
        })
      : { rows: (await pglite.exec(`RESET ROLE; ${text}; SET ROLE stanchion_reader`)).flatMap((r) => r.rows) },
})

/** Starts the outbox and the rooms' regular jobs. With several processes, each regular job still runs once. */
export async function startJobs(engine: Engine, log: FastifyBaseLogger): Promise<Jobs> {
  const outbox = new Outbox(engine, log)
  engine.committed.push((touched) => {
    if (touched.has('outbox')) void outbox.drain().catch((e: unknown) => log.error(e))
  })
  const pglite = (engine.db as { pglite?: PGlite }).pglite
  const boss = new PgBoss(
    pglite
      ? ({ db: adapter(pglite) } as never)
      : { connectionString: engine.config.databaseUrl as string, max: 2, application_name: 'stanchion jobs' },
  )
  boss.on('error', (e) => log.error(e))
  await boss.start()
  const regular = engine.rooms.flatMap((r) => r.jobs ?? []).filter((j) => j.every)
  for (const job of [...regular, { kind: 'outbox', every: '* * * * *', run: () => outbox.drain() }]) {
    await boss.createQueue(job.kind)
    await boss.work(job.kind, { pollingIntervalSeconds: 30 }, async () => job.run(engine, {}, 0))
    await boss.schedule(job.kind, job.every as string, {}, { tz: 'Europe/London' })
  }
  void outbox.drain().catch((e: unknown) => log.error(e))
  return { outbox, stop: () => boss.stop({ graceful: true, timeout: 2000 } as never) }
}
