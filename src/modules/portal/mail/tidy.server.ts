import { schedule } from '#server/engine/schedule.ts'

/** After so long nothing tries a letter by itself any more: the lane gives up after some eight times in an hour and a half. */
const GIVEN_UP = "interval '4 hours'"

/**
 * Takes away the files of letters that nobody tries to send any more, and the days' counts; says of letters that are no longer tried that they
 * have failed, or, where the mail server may have them, that they have perhaps been sent.
 */
export const letterSchedule = schedule({
  name: 'portal.letters',
  every: { minutes: 60 },
  run: (engine) =>
    engine.db.tx('system', async (tx) => {
      await tx.rows("DELETE FROM letter_file WHERE created_at < now() - interval '31 days'")
      await tx.rows('DELETE FROM letter_day WHERE day < current_date - 31')
      await tx.rows(
        `UPDATE message SET state = CASE WHEN handed_at IS NULL THEN 'failed' ELSE 'perhaps sent' END
         WHERE (state = 'sending' AND claimed_until < now() OR state = 'waiting') AND tried_at < portal_now() - ${GIVEN_UP}`,
      )
    }),
})
