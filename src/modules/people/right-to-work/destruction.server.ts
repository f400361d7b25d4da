import { z } from 'zod'
import { problem, violation } from '#kernel/errors.ts'
import { defineEvent } from '#kernel/event.ts'
import { defineSavedEvidence } from '#kernel/evidence.ts'
import type { RowOf } from '#kernel/resource.ts'
import { formatIsoDateAsUk, londonDate } from '#kernel/time.ts'
import { notifyUsers } from '#modules/portal/notices/notify.server.ts'
import { findUsersWithRoles } from '#server/auth/accounts.ts'
import { issueSequenceNumber } from '#server/data/sequences.ts'
import { writeAuditEvent } from '#server/data/writing/audit-trace.ts'
import { eventHandler } from '#server/engine/handler.ts'
import { declareNotificationType } from '#server/engine/module.ts'
import type { Context } from '#server/engine/types.ts'
import { digestSubject } from '#server/evidence/link.ts'
import { fileStoreFor } from '#server/files/store.ts'
import { reminderSchedule } from '#server/jobs/remind.ts'
import { employee } from '../employees/employee.ts'
import { HR_ROLES } from '../rights.ts'
import { rightToWorkNav, rightToWorkPath } from './nav.ts'
import {
  destructionNumbers,
  rightToWorkCheck,
  rightToWorkCopy,
  rightToWorkDestruction,
  rightToWorkStatus,
} from './right-to-work.ts'
import { firstDestructionDay } from './rules.ts'

/** Each certificate is sealed when it is created. */
export const destructionEvidence = defineSavedEvidence({
  of: rightToWorkDestruction,
  named: ({ number }) => `the certificate of destruction ${String(number)}`,
  columns: { employment_ended_on: 'end of employment', author: 'person who confirmed', created_at: 'time' },
})

/** Copies of checks were destroyed. Their contents leave the file store once the certificate is committed. */
const copiesDestroyed = defineEvent({
  kind: 'right-to-work.copies-destroyed',
  version: 1,
  payload: z.object({ keys: z.array(z.string()) }),
})

const removeContents = eventHandler(copiesDestroyed, {
  name: 'right-to-work.remove-contents',
  queue: 'events',
  run: async (c, { keys }) => {
    const store = await fileStoreFor(c.engine.config)
    for (const key of keys) await store.remove(key)
  },
})

export const destructionHandlers = [removeContents]

type Acting = Context & {
  readonly row: RowOf<typeof rightToWorkStatus>
  readonly input: { readonly confirmed: boolean }
}

/** Throws 409 before the end of retention, and 403 for one's own checks and those that the same person recorded. */
async function refuseDestruction(c: Acting, checks: readonly RowOf<typeof rightToWorkCheck>[]): Promise<string> {
  const person = await c.lock(employee, c.row.id, 'values')
  if (!checks.length) throw problem.conflict(`No checks of ${person.name} are stored.`)
  if (!person.retired || !person.leavingDate)
    throw problem.conflict(
      `${person.name} has not left, or the last day is missing. Checks are stored until two years after it.`,
    )
  const first = firstDestructionDay(person.leavingDate)
  if (first > londonDate(c.now).toString())
    throw problem.conflict(
      `The checks are stored for two years after the employment. They may be destroyed from ${formatIsoDateAsUk(first)} on.`,
    )
  if (person.user !== null && person.user === c.actor.userId)
    throw problem.forbidden('Another person has to confirm the destruction of your own checks.')
  if (checks.some(({ author }) => author === c.actor.username))
    throw problem.forbidden('You recorded one of these checks. Another person has to confirm their destruction.')
  return person.leavingDate
}

/** Destroys the checks and copies of a former employee, and seals a certificate that contains none of their details. */
export async function destroyChecks(c: Acting): Promise<Record<string, never>> {
  const { row, clientId, actor } = c
  if (!c.input.confirmed) throw problem.invalid([violation('confirmed', 'Please confirm')])
  const right = c.withoutPermissionCheck('checks are destroyed after their retention')
  const checks = await right.lockAll(rightToWorkCheck, { employee: row.id })
  const employmentEndedOn = await refuseDestruction(c, checks)
  const ids = checks.map(({ id }) => id)
  const copies = await right.lockAll(rightToWorkCopy, { check: ids })
  const recorded = checks.map(({ id, createdAt }) => ({ id, createdAt }))
  const certificate = await right.create(rightToWorkDestruction, {
    number: (await issueSequenceNumber(c, destructionNumbers)).text,
    employee: row.id,
    employmentEndedOn,
    checks: checks.length,
    copies: copies.length,
    digest: digestSubject({ checks: recorded, copies: copies.map(({ checksum }) => checksum) }),
    createdAt: c.now.toString(),
  })
  const { id } = await certificate.saved()
  const { tx, touched } = c.work
  // Past the engine, whose audit rows would store the former values.
  await tx.rows('DELETE FROM right_to_work_copy WHERE client_id = $1 AND check_id = ANY($2::bigint[])', [clientId, ids])
  await tx.rows('DELETE FROM right_to_work_check WHERE client_id = $1 AND id = ANY($2::bigint[])', [clientId, ids])
  const changes = { checks: checks.length, copies: copies.length, certificate: id }
  await writeAuditEvent(tx, actor, { clientId, type: rightToWorkStatus.type, rowId: row.id, verb: 'destroy', changes })
  for (const table of ['right_to_work_check', 'right_to_work_copy', 'employee', 'audit']) touched.add(table)
  const keys = copies.flatMap(({ fileKey, viewKey, thumbnailKey }) =>
    [fileKey, viewKey, thumbnailKey].flatMap((key) => key || []),
  )
  if (keys.length) await c.emit(copiesDestroyed, { keys })
  return {}
}

export const destructionNotice = declareNotificationType({
  kind: 'right-to-work.destroy',
  label: 'Right-to-work checks to be destroyed',
  for: HR_ROLES,
  icon: rightToWorkNav.list.icon,
  of: rightToWorkStatus,
  words: ({ name }) => `Right to work of ${name}: confirm that the checks are destroyed`,
  path: ({ id }) => rightToWorkPath(id),
  waits: 'People',
  todo: 'to destroy',
  mail: true,
})

/** Days after the last day of employment on which the retention of two years has ended, also over a leap year. */
const DAYS_AFTER_LEAVING = 732

/** Asks human resources to confirm the destruction. Nothing is destroyed without their confirmation. */
export const remindToDestroy = reminderSchedule({
  name: 'right-to-work.destroy',
  of: employee,
  on: 'leavingDate',
  daily: '07:00',
  daysBefore: [-DAYS_AFTER_LEAVING],
  where: { retired: true },
  send: async (c, { id }) => {
    if (!(await c.exists(rightToWorkCheck, { employee: id }))) return
    const people = await findUsersWithRoles(c.work.tx, c.clientId, [...HR_ROLES])
    await notifyUsers(
      c,
      destructionNotice,
      people.map(({ userId }) => ({ to: userId, about: id })),
    )
  },
})
