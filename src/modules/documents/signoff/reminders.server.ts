import { eventHandler } from '#server/engine/handler.ts'
import type { NotificationType } from '#server/engine/notification-type.ts'
import { schedule } from '#server/engine/schedule.ts'
import { remind } from '#server/jobs/remind.ts'
import { sweep } from '#server/jobs/sweep.ts'
import type { DocumentKind } from '../types/kind.ts'
import { signaturesRequestedEvent } from './asked.ts'
import { emailSignatory, needsRequestEmail, wasRecentlyEmailed } from './letters.server.ts'
import { notifyRequestedSignatories } from './sign-notice.server.ts'
import { signOffPerson } from './sign-off.ts'

const UNTOLD = 't.reminded_at IS NULL OR t.reminded_at < t.asked_at'
const WEEKS = 52
/** Three days before, on the day, and weekly afterwards. */
const DAYS_BEFORE = [3, 0, ...Array.from({ length: WEEKS }, (_, week) => -7 * (week + 1))]

/** Notifies and e-mails people who have just been asked. */
export const notifySignatories = (kinds: readonly DocumentKind[], notice: NotificationType) =>
  eventHandler(signaturesRequestedEvent, {
    name: 'sign-off.tell',
    queue: 'events',
    run: async (c, { document }) => {
      const day = { isSpent: false }
      const asked = await c.lockAll(signOffPerson, { document, state: 'asked' })
      await notifyRequestedSignatories(c, notice, asked)
      for (const person of asked) if (needsRequestEmail(c, person)) await emailSignatory(c, kinds, person, 'asked', day)
    },
  })

/** Each morning, notifies people who have joined a requested group. */
export const notifyJoinedSignatories = (kinds: readonly DocumentKind[], notice: NotificationType) =>
  schedule({
    name: 'sign-off.tell-joined',
    every: { daily: '07:00' },
    run: (engine) =>
      sweep(
        engine,
        {
          of: signOffPerson,
          where: { state: 'asked' },
          condition: () => `(${UNTOLD})`,
          reason: 'sign-off.tell-joined',
        },
        async (c, person) => {
          await notifyRequestedSignatories(c, notice, [person])
          await emailSignatory(c, kinds, person, 'asked')
        },
      ),
  })

/** Each morning, reminds people who have not signed: before the date, on it and weekly afterwards. */
export const remindToSign = (kinds: readonly DocumentKind[]) =>
  remind({
    name: 'sign-off.remind',
    of: signOffPerson,
    on: 'due',
    daily: '07:00',
    daysBefore: DAYS_BEFORE,
    where: { state: 'asked' },
    unless: (c, person) =>
      person.remindedAt === null || person.remindedAt < person.askedAt || wasRecentlyEmailed(c, person),
    send: async (c, person) => {
      await emailSignatory(c, kinds, person, 'reminded')
    },
  })

/** Each night, recalculates everyone's signature status from the signatures. */
export const recalculateSignOffs = schedule({
  name: 'sign-off.settle',
  every: { daily: '02:30' },
  perClient: async ({ work, clientId }) => {
    await work.tx.rows(
      `SELECT sign_off_settle($1, r.kind, r.number) FROM (
         SELECT DISTINCT r.kind, r.number, d.id FROM sign_off r JOIN document d ON d.client_id = r.client_id AND d.kind = r.kind AND d.number = r.number AND d.current
         WHERE r.client_id = $1 AND r.state = 'open' ORDER BY d.id) r`,
      [clientId],
    )
  },
})
