import { schedule } from '#server/engine/schedule.ts'

/** Takes away the files of letters that nobody tries to send any more, and the days' counts. */
export const letterSchedule = schedule({
  name: 'portal.letters',
  every: { minutes: 60 },
  run: (engine) =>
    engine.db.tx('system', async (tx) => {
      await tx.rows("DELETE FROM letter_file WHERE created_at < now() - interval '31 days'")
      await tx.rows('DELETE FROM letter_day WHERE day < current_date - 31')
    }),
})
