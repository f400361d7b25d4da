import { letter } from '#rooms/portal/mail/letter.ts'
import { putEvent } from '#server/runs/put.ts'
import { schedule } from '#server/runs/schedule.ts'
import type { DocumentKind } from '../kinds/kind.ts'

/** Days before its review that people are told, and once more when it is late. */
const STEPS = [30, 7, 0] as const

interface Due {
  client_id: number
  id: number
  kind: string
  number: string
  title: string
  review_due: string
  step: number
  to: string[]
}

/** Tells a document's author and the client's administrators that its review is coming, is near, and is due. Each step once. */
export const reviewSchedule = (kinds: readonly DocumentKind[]) =>
  schedule({
    name: 'document.review',
    every: { daily: '07:00' },
    run: async (engine) => {
      const due = await engine.db.tx('system', (tx) =>
        tx.rows<Due>(
          `WITH today AS (SELECT (now() AT TIME ZONE 'Europe/London')::date AS day)
         SELECT d.client_id, d.id, d.kind, d.number, d.title, d.review_due::text, s.step,
                ARRAY(SELECT DISTINCT u.email FROM user_account u WHERE u.client_id = d.client_id AND NOT u.is_retired AND u.email LIKE '%@%'
                      AND (u.username = d.author OR 'ROLE_CLIENT_ADMIN' = ANY(u.roles))) AS to
         FROM document d, today, LATERAL (SELECT count(*)::int AS step FROM unnest($1::int[]) n WHERE d.review_due <= today.day + n) s
         WHERE d.current AND d.review_due <= today.day + $2::int AND s.step > d.reminded ORDER BY d.client_id, d.id LIMIT 1000`,
          [[...STEPS], STEPS[0]],
        ),
      )
      const link = (d: Due) => {
        const screen = kinds.find((k) => k.kind === d.kind)?.screens.list
        return engine.config.publicUrl && screen ? `\n\n${engine.config.publicUrl}${screen}/view/${d.id}` : ''
      }
      for (const d of due)
        await engine.db.tx('system', async (tx) => {
          const [mine] = await tx.rows(
            'UPDATE document SET reminded = $3 WHERE client_id = $1 AND id = $2 AND reminded < $3 RETURNING 1',
            [d.client_id, d.id, d.step],
          )
          if (!mine) return
          const noun = kinds.find((k) => k.kind === d.kind)?.noun ?? 'document'
          const day = d.review_due.split('-').reverse().join('/')
          const late = d.step === STEPS.length
          for (const to of d.to)
            await putEvent(engine, tx, d.client_id, letter, {
              to,
              subject: late ? `Review due: ${d.number} ${d.title}` : `Review by ${day}: ${d.number} ${d.title}`,
              body: `The ${noun} ${d.number} "${d.title}" is to be reviewed by ${day}. Read it, change what is no longer true, and approve the next revision; or approve it as it is.${link(d)}`,
              template: 'document.review',
            })
        })
      engine.tell(new Set(['outbox']))
    },
  })
