import { type Problem, problem } from '#kernel/errors.ts'
import type { RowOf } from '#kernel/resource.ts'
import { type Actor, hasRole } from '#kernel/roles.ts'
import { londonDate } from '#kernel/time.ts'
import {
  correctUnusedEmail,
  createEmployeeAccount,
  isUnusedEmployeeAccount,
} from '#modules/identity/people/user.server.ts'
import { user } from '#modules/identity/people/user.ts'
import { endInvitations } from '#server/auth/credentials.ts'
import { requireAccessProof } from '#server/auth/proof.ts'
import { readCurrentActor } from '#server/engine/actor-now.ts'
import { readAcrossClients } from '#server/engine/tenant.ts'
import type { Context } from '#server/engine/types.ts'
import { employee } from '../employees/employee.ts'
import { HR_PRIVATE_ROLE, HR_ROLES } from '../rights.ts'
import { employeeLogin } from './employee-login.ts'

/** An employee as their table stores them. */
type Employee = Pick<
  RowOf<typeof employee>,
  'id' | 'name' | 'retired' | 'leavingDate' | 'email' | 'user' | 'accountNumber' | 'nationalInsuranceNumber'
>
type Account = RowOf<typeof user>

/** Way in which an employee gets login details: an e-mail to an address, a letter (no address), or none. */
type LoginDelivery = { readonly email: string } | { readonly refused: Problem }

/**
 * Returns how an employee gets login details. The address is the account's own, except that the employee's record
 * states it until the first sign-in to an account without other roles. `today` is a day in London.
 */
export function chooseLoginDelivery(
  { name, retired, leavingDate, email, accountNumber, nationalInsuranceNumber }: Employee,
  account: Account | undefined,
  sender: Actor,
  today: string,
): LoginDelivery {
  if (retired) return refuse(`${name} has left. Restore the employee first.`)
  if (leavingDate && leavingDate < today) return refuse(`The last day of ${name} has passed.`)
  if (account?.isRetired)
    return refuse(`The account of ${name} is retired. An administrator can restore it under Users.`)
  const isPrivate = accountNumber !== '' || nationalInsuranceNumber !== ''
  if (isPrivate && !hasRole(sender, ['ROLE_CLIENT_ADMIN', HR_PRIVATE_ROLE]))
    return {
      refused: problem.forbidden(
        `The account of ${name} shows bank details or a National Insurance number that you may not see. Ask an administrator to send the login details.`,
      ),
    }
  const isUnused = !account || isUnusedEmployeeAccount(account)
  const address = (isUnused && email) || account?.email || ''
  return address || isUnused
    ? { email: address }
    : refuse(`The account of ${name} has no e-mail address. An administrator can enter one under Users.`)
}

const refuse = (message: string) => ({ refused: problem.conflict(message) })

/**
 * Returns the address for an employee's login details; empty if they get a letter. Throws unless the sender's current
 * rights allow it, their identity is confirmed, and the employee gets login details.
 */
export async function requireLoginDelivery(c: Context, of: Employee): Promise<string> {
  const sender = await c.once('sender of login details', () => readCurrentActor(c))
  if (!hasRole(sender, HR_ROLES)) throw problem.forbidden()
  requireAccessProof(sender)
  const account = of.user === null ? undefined : await c.get(user, of.user)
  const delivery = chooseLoginDelivery(of, account, sender, londonDate(c.now).toString())
  if ('refused' in delivery) throw delivery.refused
  return delivery.email
}

const REASON = 'login details are sent to an employee'

/**
 * Returns the employee's account, which is created and joined if there is none, with this e-mail address. Ends the
 * earlier login details, with their link.
 */
export async function prepareLoginAccount(c: Context, of: Employee, email: string): Promise<Account> {
  if (of.user === null) {
    const account = await createEmployeeAccount(c, { name: of.name, email })
    await c.withoutPermissionCheck(REASON).change(employee, of.id, { user: account.id })
    return account
  }
  const account = await c.lock(user, of.user)
  if (account.email !== email) await correctUnusedEmail(c, account, email)
  await endEarlierLogins(c, of.id, account.id)
  return { ...account, email }
}

async function endEarlierLogins(c: Context, employeeId: number, userId: number): Promise<void> {
  const earlier = await c.lockAll(employeeLogin, { employee: employeeId, endedAt: null })
  if (!earlier.length) return
  await c.setAll(
    employeeLogin,
    earlier.map((row) => ({ row, values: { endedAt: c.now.toString() } })),
    'replace',
  )
  await readAcrossClients(c, (tx) => endInvitations(tx, { clientId: c.clientId, userId }))
}
