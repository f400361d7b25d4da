import type { RowOf } from '#kernel/resource.ts'
import { formatIsoDateAsUk, LONDON_TIME_ZONE } from '#kernel/time.ts'
import { employee } from '#modules/people/employees/employee.ts'
import { notifyUsers } from '#modules/portal/notices/notify.server.ts'
import { findUsersWithRoles } from '#server/auth/accounts.ts'
import { declareNotificationType } from '#server/engine/module.ts'
import { schedule } from '#server/engine/schedule.ts'
import type { Context } from '#server/engine/types.ts'
import { assuranceNav, equipmentItemPath } from '../nav.ts'
import { EQUIPMENT_READER_ROLES } from '../rights.ts'
import { equipmentCheck, requiredCheck } from './check.ts'
import type { equipmentItem } from './item.ts'

/** Days before a check is due on which its reminder counts as new. */
const DAYS_BEFORE = 30

export const failedNotice = declareNotificationType({
  kind: 'equipment.failed',
  label: 'Equipment that failed a check',
  for: EQUIPMENT_READER_ROLES,
  icon: assuranceNav.equipment.icon,
  of: equipmentCheck,
  words: ({ item, immediateDanger }) =>
    `${item.number} ${item.name} failed a check and is out of service${immediateDanger ? '. Immediate danger' : ''}`,
  path: ({ item }) => equipmentItemPath(item.id),
  mail: true,
})

export const dueNotice = declareNotificationType({
  kind: 'equipment.due',
  label: 'Checks of equipment that are due',
  for: EQUIPMENT_READER_ROLES,
  icon: assuranceNav.equipment.icon,
  of: requiredCheck,
  words: ({ item, name, nextOn, nextHours }) =>
    `${item.number} ${item.name}: ${name}, due ${nextOn ? `by ${formatIsoDateAsUk(nextOn)}` : `at ${nextHours} hours of use`}`,
  path: ({ item }) => equipmentItemPath(item.id),
  mail: true,
})

/** Returns the accounts of the people who manage the equipment. */
async function findManagers(c: Context): Promise<number[]> {
  return (await findUsersWithRoles(c.work.tx, c.clientId, ['ROLE_EQUIPMENT'])).map(({ userId }) => userId)
}

/** Notifies the holder of an item, and the people who manage the equipment, of a failed check. */
export async function notifyOfFailedCheck(c: Context, item: RowOf<typeof equipmentItem>, check: number): Promise<void> {
  const holder = item.holder === null ? undefined : await c.get(employee, item.holder)
  const people = new Set([...(holder?.user ? [holder.user] : []), ...(await findManagers(c))])
  await notifyUsers(
    c,
    failedNotice,
    [...people].map((to) => ({ to, about: check })),
  )
}

interface DueCheck {
  readonly id: number
  readonly since: string
  readonly holder: number | null
}

const DUE = `
  SELECT d.required_check_id::int AS id, e.user_id::int AS holder,
    (CASE WHEN d.state = 'overdue' THEN coalesce(d.next_on + 1, d.last_on) ELSE coalesce(d.next_on - $2::int, d.last_on) END)::text AS since
  FROM equipment_item i CROSS JOIN LATERAL equipment_checks_due(i.client_id, i.id) d
  LEFT JOIN employee e ON e.client_id = i.client_id AND e.id = i.holder_id AND NOT e.retired
  WHERE i.client_id = $1 AND i.lifecycle IN ('in use', 'in store', 'on hire') AND d.state IN ('due', 'overdue')`

/**
 * Reminds the holder, and the people who manage the equipment, once a check is due and again once it is overdue. The
 * daily e-mail of notifications contains all reminders of a day.
 */
export const checkReminder = schedule({
  name: 'equipment.due',
  every: { daily: '07:00' },
  perClient: async (c) => {
    const due = await c.work.tx.rows<DueCheck>(DUE, [c.clientId, DAYS_BEFORE])
    if (!due.length) return
    const managers = await findManagers(c)
    const targets = due.flatMap(({ id, since, holder }) =>
      [...new Set([...(holder === null ? [] : [holder]), ...managers])].map((to) => ({
        to,
        about: id,
        since: Temporal.PlainDate.from(since).toZonedDateTime(LONDON_TIME_ZONE).toInstant().toString(),
      })),
    )
    await notifyUsers(c, dueNotice, targets)
  },
})
