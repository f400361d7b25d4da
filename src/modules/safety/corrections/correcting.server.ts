import { problem, violation } from '#kernel/errors.ts'
import { READERS } from '#modules/documents/rights.ts'
import { notify } from '#modules/portal/notices/notify.server.ts'
import { behaviour } from '#server/engine/behaviour.ts'
import { feature } from '#server/engine/module.ts'
import { notificationType } from '#server/engine/notification-type.ts'
import { nameAccounts } from '../talks/people.server.ts'
import { factProblems } from '../talks/presented-rules.server.ts'
import { PRESENTED } from '../talks/talk-info.ts'
import { attendance, attendee, SIGNED_FOR, seenCorrection, talkCorrection } from '../talks/toolbox-talk.ts'
import { attendanceRoutes } from './attendance-routes.server.ts'

/** Notification: the record of a talk that the user signed was corrected. */
const correctedNotice = notificationType({
  kind: 'talk.corrected',
  label: 'Corrections to records of talks that I signed',
  for: READERS,
  icon: 'checklist',
  of: seenCorrection,
  words: ({ presented: { title }, reason }) => `The record of “${title}”, which you signed, was corrected: “${reason}”`,
  path: ({ presented }) => `${PRESENTED}/${presented.id}`,
  mail: true,
})

/**
 * Corrects a signed record while it is open. What people signed is retained beside the correction, and they are
 * notified.
 */
const correcting = behaviour(talkCorrection, {
  beforeSave: async (c) => {
    const { values, now } = c
    if (values.presented === undefined) return undefined
    const record = await c.lock(attendance, values.presented)
    if (record.complete) throw problem.conflict('This record is closed and can’t be changed.')
    if (record.retired) throw problem.conflict('This record is deleted. Please restore it first.')
    if (!record.signed) throw problem.conflict('Nobody has signed this record yet: please edit it instead.')
    const changed = SIGNED_FOR.filter((name) => values[name] && values[name] !== record[name])
    if (!changed.length)
      throw problem.invalid([violation('date', 'The record already states this. Please change what needs correcting')])
    const said = Object.fromEntries(changed.map((name) => [name, values[name]]))
    const wrong = factProblems(said, { ...record, ...said }, now)
    if (wrong.length) throw problem.invalid(wrong)
    return {
      ...Object.fromEntries(SIGNED_FOR.map((name) => [name, said[name] ?? null])),
      formerly: Object.fromEntries(changed.map((name) => [name, record[name] ?? ''])),
      createdAt: now.toString(),
    }
  },
  afterSave: async (c) => {
    const { presented, presenter, place, date, startTime, id } = await c.written.saved()
    const record = await c.lock(attendance, presented)
    const [named] = presenter ? await nameAccounts(c, [{ name: presenter }]) : []
    const facts = {
      ...(presenter ? { presenter, presenterVisitor: named?.visitor ?? false } : {}),
      ...(place ? { place } : {}),
      ...(date ? { date } : {}),
      ...(startTime ? { startTime } : {}),
    }
    await c.set(attendance, record, facts, 'correct')
    const signers = (await c.find(attendee, { presented })).flatMap(({ signedAt, signer }) =>
      signedAt && signer && signer !== c.actor.userId ? signer : [],
    )
    await notify(
      c,
      correctedNotice,
      [...new Set(signers)].map((to) => ({ to, about: id })),
    )
  },
})

export const corrections = feature({
  pack: 'safety',
  behaviours: [correcting],
  routes: attendanceRoutes,
  notifications: [correctedNotice],
})
