import { problem, violation } from '#kernel/errors.ts'
import type { RowOf } from '#kernel/resource.ts'
import { type Actor, hasRole, systemActor } from '#kernel/roles.ts'
import { londonDate } from '#kernel/time.ts'
import { defineMailJob } from '#modules/crm/mail/batch.server.ts'
import { requireMergeable } from '#modules/crm/mail/write.server.ts'
import { readActor } from '#server/auth/person.ts'
import { behaviour } from '#server/engine/behaviour.ts'
import { schedule } from '#server/engine/schedule.ts'
import type { Context, Engine } from '#server/engine/types.ts'
import { startBatchJob } from '#server/jobs/batch-job-control.ts'
import { SALES_NAV } from '../nav.ts'
import { MAILING_LIST_ROLES } from '../rights.ts'
import { MAY_EMAIL } from './audience.server.ts'
import { dailyEmail, recipientQuery } from './daily.ts'

/** Sends to leads with consent and no opt-out, checked again for each e-mail. */
export const dailyEmailJob = defineMailJob({
  kind: 'marketing.daily',
  title: 'Daily e-mail',
  screen: SALES_NAV.daily.path,
  only: MAY_EMAIL,
})

type Daily = RowOf<typeof dailyEmail>

/** Throws 409 if there is another e-mail of the topic on that day. */
async function mustBeAlone(c: Context, { topic, day }: Pick<Daily, 'topic' | 'day'>, id = 0): Promise<void> {
  const others = await c.find(dailyEmail, { topic, day, state: ['draft', 'planned', 'sent', 'missed'] })
  if (others.some((one) => one.id !== id))
    throw problem.invalid([violation('day', 'There is already a daily e-mail on this topic for that day')])
}

export const dailyBehaviour = behaviour(dailyEmail, {
  beforeSave: async (c) => {
    const { before, values } = c
    if (before && before.state !== 'draft')
      throw problem.conflict('Only a draft can be changed. Return it to draft first.')
    requireMergeable('lead', { subject: values.subject ?? '', body: values.body ?? '' })
    if (values.topic && values.day) await mustBeAlone(c, { topic: values.topic, day: values.day }, before?.id)
    return undefined
  },
  actions: {
    plan: (c) => {
      if (c.row.day < londonDate(c.now).toString())
        throw problem.invalid([violation('day', 'This day has passed. Please choose another')])
      return { set: { state: 'planned' as const, plannedBy: c.actor.userId, reason: '' } }
    },
  },
})

/** Sends e-mails scheduled for today, with the current rights of their planner; missed days are not sent. */
export const dailyEmailSchedule = schedule({
  name: 'daily-emails',
  every: { daily: '09:00' },
  run: async (engine) => {
    const today = londonDate(engine.clock.now()).toString()
    const due = await engine.db.tx('system', (tx) =>
      tx.rows<{ client: number; id: number; by: number }>(
        "SELECT client_id AS client, id, planned_by AS by FROM daily_email WHERE state = 'planned' AND day <= $1::date ORDER BY client_id, day, id",
        [today],
      ),
    )
    for (const one of due) await sendOne(engine, one, today)
  },
})

async function sendOne(engine: Engine, { client, id, by }: { client: number; id: number; by: number }, today: string) {
  const person = await engine.db.tx('system', (tx) => readActor(tx, client, by))
  const actor: Actor | undefined = hasRole(person, MAILING_LIST_ROLES) ? person : undefined
  const change = { actor: actor ?? systemActor(client, 'daily e-mails'), requestId: `daily e-mail ${id}` }
  await engine.inTenant(client, change, async (c) => {
    const [row] = await c.lockAll(dailyEmail, { id, state: 'planned' })
    if (row) await settle(c, row, actor, today)
    return () => undefined
  })
}

async function settle(c: Context, row: Daily, actor: Actor | undefined, today: string): Promise<void> {
  const miss = (reason: string) => c.set(dailyEmail, row, { state: 'missed', reason }, 'miss')
  if (row.day < today) return void (await miss('Its day passed before it could be sent.'))
  if (!actor) return void (await miss('The user who scheduled it may no longer send it.'))
  const { subject, body } = row
  const run = await startBatchJob(c, dailyEmailJob, {
    query: recipientQuery(row),
    subject,
    body,
    template: 'daily-iso',
    files: [],
  })
  await c.set(dailyEmail, row, { state: 'sent', run, sentAt: c.now.toString() }, 'send')
}
