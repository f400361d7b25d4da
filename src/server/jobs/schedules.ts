import type { PgBoss } from 'pg-boss'
import { systemActor } from '#kernel/roles.ts'
import { registryOf } from '#server/engine/registry.ts'
import { type Schedule, slotAt } from '#server/engine/schedule.ts'
import type { Engine } from '#server/engine/types.ts'
import { type ScheduleJob, within } from './queue.ts'

/** Queues the schedules that are due, each slot once, however many processes call this. True when there were some. */
export const relayDue = (engine: Engine, boss: PgBoss): Promise<boolean> =>
  engine.db.tx('system', async (tx) => {
    const slots = [...registryOf(engine).schedules.values()].map(
      (s) => [s.name, slotAt(s.every, engine.clock.now())] as const,
    )
    const due = await tx.rows<{ name: string; slot: string }>(
      `INSERT INTO schedule (name, slot) SELECT * FROM unnest($1::text[], $2::text[])
       ON CONFLICT (name) DO UPDATE SET slot = EXCLUDED.slot WHERE schedule.slot < EXCLUDED.slot RETURNING name, slot`,
      [slots.map(([name]) => name), slots.map(([, slot]) => slot)],
    )
    const jobs = due.map(({ name, slot }): { data: ScheduleJob } => ({ data: { schedule: name, slot } }))
    if (jobs.length) await boss.insert('schedules', jobs, { db: within(tx, 'stanchion_system') })
    return jobs.length > 0
  })

/** Runs a schedule for a slot, unless a later slot is due already. */
export async function runScheduled(engine: Engine, { schedule: name, slot }: ScheduleJob): Promise<void> {
  const s = registryOf(engine).schedules.get(name)
  if (!s) throw new Error(`No schedule is called "${name}"`)
  const [newer] = await engine.db.tx('system', (tx) =>
    tx.rows('SELECT 1 FROM schedule WHERE name = $1 AND slot > $2', [name, slot]),
  )
  if (!newer) await runSchedule(engine, s, slot)
}

/** Runs a schedule now. Throws when some of it failed; the rest is done all the same. */
export async function runSchedule(
  engine: Engine,
  s: Schedule,
  slot = slotAt(s.every, engine.clock.now()),
): Promise<void> {
  await s.run?.(engine)
  if (s.perClient) await runPerClient(engine, s, Temporal.PlainDate.from(slot))
}

const PAGE = 200

async function runPerClient(engine: Engine, s: Schedule, day: Temporal.PlainDate): Promise<void> {
  const failed: { client: number; error: Error }[] = []
  for (let after = -1; ; ) {
    const clients = await engine.db.tx('system', (tx) =>
      tx.rows<{ id: number }>(
        `SELECT c.id FROM client c LEFT JOIN schedule_client d ON d.client_id = c.id AND d.name = $1
         WHERE c.id > $2 AND NOT c.retired AND (d.day IS NULL OR d.day < $3::date) ORDER BY c.id LIMIT ${PAGE}`,
        [s.name, after, day.toString()],
      ),
    )
    for (const { id } of clients)
      await forClient(engine, s, id, day).catch((error: Error) => failed.push({ client: id, error }))
    const last = clients.at(-1)
    if (!last || clients.length < PAGE) break
    after = last.id
  }
  const [first] = failed
  if (first)
    throw new Error(
      `"${s.name}" failed for ${failed.length} of the clients; for client ${first.client}: ${first.error.message}`,
      { cause: first.error },
    )
}

const forClient = (engine: Engine, s: Schedule, clientId: number, day: Temporal.PlainDate): Promise<void> =>
  engine.inTenant(
    clientId,
    { actor: systemActor(clientId, s.name), requestId: `${s.name} ${day.toString()}` },
    async (c) => {
      const [mine] = await c.work.tx.rows(
        `INSERT INTO schedule_client (client_id, name, day) VALUES ($1, $2, $3)
       ON CONFLICT (client_id, name) DO UPDATE SET day = EXCLUDED.day WHERE schedule_client.day < EXCLUDED.day RETURNING 1`,
        [clientId, s.name, day.toString()],
      )
      if (mine) await s.perClient?.(c, day)
      return () => undefined
    },
  )
