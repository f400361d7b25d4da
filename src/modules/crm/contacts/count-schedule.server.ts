import { schedule } from '#server/engine/schedule.ts'

/**
 * Adds up the running differences behind the category counts, so that they stay few. Locks nothing that a caller needs:
 * differences that arrive meanwhile are left for the next time.
 */
export const countSchedule = schedule({
  name: 'crm.counts',
  every: { minutes: 1 },
  run: (engine) =>
    engine.db.tx('system', async (tx) => {
      await tx.rows('SELECT pg_advisory_xact_lock(7261837)')
      await tx.rows(
        `WITH many AS (SELECT client_id, owner_id, category, ir35 FROM contact_count GROUP BY 1, 2, 3, 4 HAVING count(*) > 20),
         gone AS (DELETE FROM contact_count c USING many m WHERE (c.client_id, c.owner_id, c.category, c.ir35) = (m.client_id, m.owner_id, m.category, m.ir35) RETURNING c.*)
         INSERT INTO contact_count (client_id, owner_id, category, ir35, n) SELECT client_id, owner_id, category, ir35, sum(n) FROM gone GROUP BY 1, 2, 3, 4`,
      )
    }),
})
