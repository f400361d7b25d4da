import { londonDate } from '#kernel/time.ts'
import { tryConsumeRecipientAllowance } from '#modules/portal/mail/claim.server.ts'
import { notifyUsers } from '#modules/portal/notices/notify.server.ts'
import { schedule } from '#server/engine/schedule.ts'
import { processRowsForAllClients, reminderSchedule } from '#server/jobs/remind.ts'
import { employee } from '../employees/employee.ts'
import { contract, UNSIGNED_STATES } from './contract.ts'
import { requestContractEmail } from './deliver.server.ts'
import { contractToSignNotification } from './notify.server.ts'
import { endContract } from './signing.server.ts'

const REMINDER_DAYS = [3, 0]

/** Reminds employees who have not signed, by notification or by another link. */
export const contractReminder = reminderSchedule({
  name: 'contract.remind',
  of: contract,
  on: 'signUntil',
  daily: '08:00',
  daysBefore: REMINDER_DAYS,
  where: { state: ['sent', 'opened'] },
  // A contract that was sent with few days to sign is not followed by a reminder on the same day.
  unless: (c, { createdAt }) => londonDate(Temporal.Instant.from(createdAt)).equals(londonDate(c.now)),
  send: async (c, row) => {
    const of = await c.get(employee, row.employee)
    if (!of || of.retired) return
    if (!row.email && of.user !== null)
      await notifyUsers(c, contractToSignNotification, [{ to: of.user, about: row.id, since: c.now.toString() }])
    else if (row.email && (await tryConsumeRecipientAllowance(c))) await requestContractEmail(c, row, of)
  },
})

/** Ends contracts that the employee has not signed by the last day. */
export const expireContracts = schedule({
  name: 'contract.expire',
  every: { daily: '00:20' },
  run: (engine) => {
    const today = londonDate(engine.clock.now()).toString()
    return processRowsForAllClients(
      engine,
      {
        of: contract,
        where: { state: [...UNSIGNED_STATES] },
        condition: (next) => `t.sign_until < ${next(today)}::date`,
        reason: 'contract.expire',
      },
      (c, row) => endContract(c, row, 'expired'),
    )
  },
})
