import { problem, violation } from '#kernel/errors.ts'
import { DOCUMENT_READERS } from '#modules/documents/rights.ts'
import { notifyUsers } from '#modules/portal/notices/notify.server.ts'
import { behaviour } from '#server/engine/behaviour.ts'
import { feature } from '#server/engine/module.ts'
import { notificationType } from '#server/engine/notification-type.ts'
import { linkAttendeeAccounts } from '../talks/people.server.ts'
import { validateTalkFacts } from '../talks/presented-rules.server.ts'
import { PRESENTED_TALKS_PATH } from '../talks/talk-info.ts'
import {
  correctionWithRecord,
  SIGNED_TALK_FIELDS,
  talkAttendance,
  talkAttendee,
  talkCorrection,
} from '../talks/toolbox-talk.ts'
import { attendanceRoutes } from './attendance-routes.server.ts'

/** Notification: the record of a talk that the user signed was corrected. */
const correctedNotice = notificationType({
  kind: 'talk.corrected',
  label: 'Corrections to records of talks that I signed',
  for: DOCUMENT_READERS,
  icon: 'checklist',
  of: correctionWithRecord,
  words: ({ presented: { title }, reason }) => `The record of “${title}”, which you signed, was corrected: “${reason}”`,
  path: ({ presented }) => `${PRESENTED_TALKS_PATH}/${presented.id}`,
  mail: true,
})

/**
 * Corrects a signed record while it is open. What people signed is retained beside the correction, and they are
 * notified.
 */
const talkCorrectionBehaviour = behaviour(talkCorrection, {
  beforeSave: async (c) => {
    const { values, now } = c
    if (values.presented === undefined) return undefined
    const record = await c.lock(talkAttendance, values.presented)
    if (record.complete) throw problem.conflict('This record is closed and can’t be changed.')
    if (record.retired) throw problem.conflict('This record is deleted. Please restore it first.')
    if (!record.signed) throw problem.conflict('Nobody has signed this record yet: please edit it instead.')
    const changed = SIGNED_TALK_FIELDS.filter((name) => values[name] && values[name] !== record[name])
    if (!changed.length)
      throw problem.invalid([violation('date', 'The record already states this. Please change what needs correcting')])
    const said = Object.fromEntries(changed.map((name) => [name, values[name]]))
    const wrong = validateTalkFacts(said, { ...record, ...said }, now)
    if (wrong.length) throw problem.invalid(wrong)
    return {
      ...Object.fromEntries(SIGNED_TALK_FIELDS.map((name) => [name, said[name] ?? null])),
      formerly: Object.fromEntries(changed.map((name) => [name, record[name] ?? ''])),
      createdAt: now.toString(),
    }
  },
  afterSave: async (c) => {
    const { presented, presenter, place, date, startTime, id } = await c.written.saved()
    const record = await c.lock(talkAttendance, presented)
    const [named] = presenter ? await linkAttendeeAccounts(c, [{ name: presenter }]) : []
    const facts = {
      ...(presenter ? { presenter, presenterVisitor: named?.visitor ?? false } : {}),
      ...(place ? { place } : {}),
      ...(date ? { date } : {}),
      ...(startTime ? { startTime } : {}),
    }
    await c.set(talkAttendance, record, facts, 'correct')
    const signers = (await c.find(talkAttendee, { presented })).flatMap(({ signedAt, signer }) =>
      signedAt && signer && signer !== c.actor.userId ? signer : [],
    )
    await notifyUsers(
      c,
      correctedNotice,
      [...new Set(signers)].map((to) => ({ to, about: id })),
    )
  },
})

export const corrections = feature({
  pack: 'safety',
  behaviours: [talkCorrectionBehaviour],
  routes: attendanceRoutes,
  notifications: [correctedNotice],
})
