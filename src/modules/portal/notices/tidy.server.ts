import { registryOf } from '#server/engine/registry.ts'
import { schedule } from '#server/engine/schedule.ts'

/** Days that a notice is kept once it is read and nothing is left to do about it; and at the longest. */
const DAYS = { read: 30, all: 400 }

/** Notices that nobody needs any more go. What waits to be done is counted as long as it waits. */
export const tidyNotices = schedule({
  name: 'notices.tidy',
  every: { daily: '03:45' },
  run: async (engine) => {
    const waits = [...registryOf(engine).notifications.values()].filter((kind) => kind.waits).map(({ kind }) => kind)
    await engine.db.tx('system', (tx) =>
      tx.rows(
        `DELETE FROM notice WHERE since < portal_now() - make_interval(days => $2)
           OR (read_at < portal_now() - make_interval(days => $3) AND (ended_at IS NOT NULL OR kind <> ALL ($1::text[])))`,
        [waits, DAYS.all, DAYS.read],
      ),
    )
  },
})
