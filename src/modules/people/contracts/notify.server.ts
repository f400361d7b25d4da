import { formatIsoDateAsUk } from '#kernel/time.ts'
import { user } from '#modules/identity/people/user.ts'
import { notifyUsers } from '#modules/portal/notices/notify.server.ts'
import { declareNotificationType } from '#server/engine/module.ts'
import type { Context } from '#server/engine/types.ts'
import { employee } from '../employees/employee.ts'
import { EMPLOYEE_READER_ROLES, HR_ROLES } from '../rights.ts'
import { type Contract, type ContractState, contract } from './contract.ts'
import { contractPath } from './nav.ts'

export const contractToSignNotification = declareNotificationType({
  kind: 'contract.to-sign',
  label: 'Contracts for me to sign',
  for: EMPLOYEE_READER_ROLES,
  icon: 'file',
  of: contract,
  words: ({ title, signUntil }) => `Please sign “${title}” by ${formatIsoDateAsUk(signUntil)}`,
  path: ({ id }) => contractPath(id),
  waits: 'People',
  todo: 'to sign',
  mail: true,
})

const toCountersignNotification = declareNotificationType({
  kind: 'contract.to-countersign',
  label: 'Contracts that wait for my countersignature',
  for: EMPLOYEE_READER_ROLES,
  icon: 'file',
  of: contract,
  words: ({ number, employee: { name } }) => `${name} has signed contract ${number}: please countersign it`,
  path: ({ id }) => contractPath(id),
  waits: 'People',
  todo: 'to countersign',
  mail: true,
})

const ENDED_WORDS: Readonly<Partial<Record<ContractState, string>>> = {
  complete: 'is signed by both sides',
  declined: 'was declined',
  expired: 'was not signed in time',
  cancelled: 'was cancelled',
}

const senderNotification = declareNotificationType({
  kind: 'contract.ended',
  label: 'Ends of contracts that I sent',
  for: HR_ROLES,
  icon: 'file',
  of: contract,
  words: ({ number, employee: { name }, state }) => `Contract ${number} of ${name} ${ENDED_WORDS[state] ?? 'is open'}`,
  path: ({ id }) => contractPath(id),
  mail: true,
})

const employeeNotification = declareNotificationType({
  kind: 'contract.complete',
  label: 'My contracts that are complete or cancelled',
  for: EMPLOYEE_READER_ROLES,
  icon: 'file',
  of: contract,
  words: ({ title, state }) => `“${title}” ${ENDED_WORDS[state] ?? 'is open'}`,
  path: ({ id }) => contractPath(id),
  mail: true,
})

export const contractNotifications = [
  contractToSignNotification,
  toCountersignNotification,
  senderNotification,
  employeeNotification,
]

const accountOf = async (c: Context, employeeId: number) => (await c.get(employee, employeeId))?.user ?? null

export async function notifyCountersigner(c: Context, { id, countersigner }: Contract): Promise<void> {
  const to = await accountOf(c, countersigner)
  if (to !== null) await notifyUsers(c, toCountersignNotification, [{ to, about: id, since: c.now.toString() }])
}

/** Notifies the sender of an end and, of one that others decided, the employee. */
export async function notifyEnd(
  c: Context,
  { id, author, employee: of }: Contract,
  toEmployee: boolean,
): Promise<void> {
  const since = c.now.toString()
  const [sender] = author ? await c.find(user, { username: author, isRetired: false }) : []
  if (sender && sender.id !== c.actor.userId)
    await notifyUsers(c, senderNotification, [{ to: sender.id, about: id, since }])
  const to = toEmployee ? await accountOf(c, of) : null
  if (to !== null) await notifyUsers(c, employeeNotification, [{ to, about: id, since }])
}
