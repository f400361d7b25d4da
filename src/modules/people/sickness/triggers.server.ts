import { formatCountWithNoun } from '#kernel/text.ts'
import { londonDate } from '#kernel/time.ts'
import { notifyUsers } from '#modules/portal/notices/notify.server.ts'
import { findPackState } from '#modules/portal/packs/routes.server.ts'
import { findUsersWithRoles } from '#server/auth/accounts.ts'
import { eventHandler } from '#server/engine/handler.ts'
import { declareNotificationType } from '#server/engine/module.ts'
import { schedule } from '#server/engine/schedule.ts'
import type { Context } from '#server/engine/types.ts'
import { employee } from '../employees/employee.ts'
import { readLeaveSettings } from '../leave/history.server.ts'
import { LEAVE_PATHS } from '../leave/nav.ts'
import { bradfordScore } from '../leave-rules/bradford.ts'
import { EMPLOYEE_READER_ROLES, HR_ROLES } from '../rights.ts'
import { sicknessAbsence } from './sickness.ts'
import { reachesLimit, sicknessChanged, sicknessTrigger } from './sickness-trigger.ts'

export const triggerNotification = declareNotificationType({
  kind: 'sickness.limit',
  label: 'Sickness that reaches a limit',
  for: EMPLOYEE_READER_ROLES,
  icon: 'alert',
  of: sicknessTrigger,
  words: ({ employee: { name }, spells, score }) =>
    `${name}: ${formatCountWithNoun(spells, 'spell').join('')} of sickness in 52 weeks, Bradford score ${score}`,
  path: () => LEAVE_PATHS.report,
  mail: true,
})

/** Users who are notified: human resources and the manager, but never the employee. */
async function findRecipients(c: Context, person: { readonly user: number | null; readonly manager: number | null }) {
  const manager = person.manager === null ? undefined : await c.get(employee, person.manager)
  const hr = await findUsersWithRoles(c.work.tx, c.clientId, [...HR_ROLES])
  const users = [...hr.map(({ userId }) => userId), ...(manager?.user && !manager.retired ? [manager.user] : [])]
  return [...new Set(users)].filter((id) => id !== person.user)
}

/**
 * Compares the sickness of an employee with the company's limits after a change of an absence. A limit that is reached is
 * notified once for each absence. If a correction of the absence takes it below the limits, its record is deleted.
 */
async function checkLimits(c: Context, id: number): Promise<void> {
  const absence = await c.get(sicknessAbsence, id)
  if (!absence || (await findPackState(c, c.clientId, 'holidays')) !== 'active') return
  const person = await c.lock(employee, absence.employee, 'values')
  const limits = await readLeaveSettings(c, c.clientId)
  const all = await c.find(sicknessAbsence, { employee: person.id, retired: false })
  const spells = all.map((one) => ({ from: one.firstDay, until: one.lastDay, protected: one.protected }))
  const score = bradfordScore(spells, londonDate(c.now).toString())
  const isReached = !absence.retired && !absence.protected && reachesLimit(score, limits)
  const [stored] = await c.find(sicknessTrigger, { absence: id })
  const portal = c.withoutPermissionCheck('compare sickness with the company’s limits')
  if (stored && !isReached) await portal.remove(sicknessTrigger, stored)
  if (stored || !isReached) return
  const { score: points, spells: count, days } = score
  const values = { employee: person.id, absence: id, score: points, spells: count, days, createdAt: c.now.toString() }
  const trigger = await (await portal.create(sicknessTrigger, values)).saved()
  const users = await findRecipients(c, person)
  await notifyUsers(
    c,
    triggerNotification,
    users.map((to) => ({ to, about: trigger.id })),
  )
}

const checkAfterChange = eventHandler(sicknessChanged, {
  name: 'sickness.check-limits',
  queue: 'events',
  run: (c, { absence }) => checkLimits(c, absence),
})

/** Each morning, an absence that continues may reach a limit. */
const checkContinuing = schedule({
  name: 'sickness.check-limits-daily',
  every: { daily: '06:30' },
  perClient: async (c) => {
    for (const { id } of await c.find(sicknessAbsence, { lastDay: null, retired: false })) await checkLimits(c, id)
  },
})

export const triggerHandlers = [checkAfterChange]
export const triggerSchedules = [checkContinuing]
