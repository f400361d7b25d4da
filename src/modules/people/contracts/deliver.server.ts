import { problem } from '#kernel/errors.ts'
import { idFromResourceIri } from '#kernel/iri.ts'
import { iriOf, type RowOf } from '#kernel/resource.ts'
import { createSystemActor } from '#kernel/roles.ts'
import { composeEmail, defineEmail, emailGreeting, SECRET_LINK_PLACEHOLDER } from '#kernel/system-email.ts'
import { preventAutolinking } from '#kernel/text/break-links.ts'
import { formatIsoDateAsUk, londonDate } from '#kernel/time.ts'
import { isSameMailbox } from '#kernel/validate.ts'
import { user } from '#modules/identity/people/user.ts'
import { client } from '#modules/portal/clients/client.ts'
import { consumeRecipientAllowance, tryConsumeRecipientAllowance } from '#modules/portal/mail/claim.server.ts'
import { emailAccepted, emailRequested } from '#modules/portal/mail/letter.ts'
import { notifyUsers } from '#modules/portal/notices/notify.server.ts'
import { eventHandler } from '#server/engine/handler.ts'
import type { SecretLink } from '#server/engine/module.ts'
import { schedule } from '#server/engine/schedule.ts'
import { createSecretLink } from '#server/engine/secret-links.ts'
import type { Context, RecordReader } from '#server/engine/types.ts'
import { processRowsForAllClients } from '#server/jobs/remind.ts'
import { employee } from '../employees/employee.ts'
import { MAY_BE_SENT } from '../logins/send.server.ts'
import { type Contract, contract, MAX_CONTRACT_SECRETS, UNSIGNED_STATES } from './contract.ts'
import { CONTRACT_LINK_PATH } from './nav.ts'
import { contractToSignNotification } from './notify.server.ts'

type Employee = RowOf<typeof employee>

interface ContractFacts {
  readonly company: string
  readonly name: string
  readonly title: string
  readonly until: string
}

const say = preventAutolinking

export const contractEmail = defineEmail<ContractFacts>({
  name: 'employee.contract',
  title: 'Contract to sign, to an employee without an account',
  confidential: true,
  subject: ({ company }) => `Your contract from ${say(company)}`,
  paragraphs: ({ company, name, title, until }) => [
    emailGreeting(name),
    `${say(company)} asks you to read and sign “${say(title)}”. Open this link (no sign-in needed):\n${SECRET_LINK_PLACEHOLDER}`,
    `Please sign by ${formatIsoDateAsUk(until)}. You can also decline and give a reason.`,
    'The link is for you only: please forward it to nobody.',
  ],
  sample: { company: 'Acme Ltd', name: 'Ann Carter', title: 'Contract of employment', until: '2026-09-15' },
})

export const contractCompleteEmail = defineEmail<Omit<ContractFacts, 'until'>>({
  name: 'employee.contract-complete',
  title: 'Signed contract, to an employee without an account',
  confidential: true,
  subject: ({ company }) => `Your signed contract from ${say(company)}`,
  paragraphs: ({ company, name, title }) => [
    emailGreeting(name),
    `${say(company)} has countersigned “${say(title)}”. Read it and download it as a PDF with this link:\n${SECRET_LINK_PLACEHOLDER}`,
    'The link is for you only: please forward it to nobody.',
  ],
  sample: { company: 'Acme Ltd', name: 'Ann Carter', title: 'Contract of employment' },
})

/** Link of an employee without an account. Each e-mail has its own; an ended contract has none. */
export const contractSecretLink: SecretLink = {
  kind: 'contract',
  make: (engine, clientId, { contract: id }) => {
    const change = { actor: createSystemActor(clientId, 'create the link of a contract'), requestId: 'letter' }
    return engine.inTenant(clientId, change, async (c) => {
      const states = [...UNSIGNED_STATES, 'complete' as const]
      const [row] = await c.lockAll(contract, { id: Number(id), state: states })
      if (!row) return () => undefined
      const { hash, url } = createSecretLink(engine.config)
      await c.set(contract, row, { hashes: [...row.hashes, hash].slice(-MAX_CONTRACT_SECRETS) }, 'email')
      return () => url(CONTRACT_LINK_PATH, clientId, row.id)
    })
  },
}

/**
 * Returns the reason why a contract can't reach an employee; empty if it can. A link is never sent to the sender or the
 * countersigner.
 */
export function deliveryProblem(
  { name, user: account, email, retired }: Employee,
  offices: readonly (string | null)[],
): string {
  if (retired) return `${name} has left`
  if (account !== null) return ''
  if (!email) return `${name} has neither an account nor an e-mail address`
  return offices.some((one) => one && isSameMailbox(one, email))
    ? `The e-mail address of ${name} is that of the sender or the countersigner`
    : ''
}

/** Reads the e-mail addresses of the sender and the countersigner. */
export async function readOfficeAddresses(
  c: RecordReader,
  sender: string | null,
  countersigner: Employee,
): Promise<string[]> {
  const usernames = sender ? await c.find(user, { username: sender }) : []
  const account = countersigner.user === null ? undefined : await c.get(user, countersigner.user)
  return [countersigner.email, account?.email, ...usernames.map(({ email }) => email)].flatMap((one) => one || [])
}

/** Returns how a contract is sent: in the portal, or by a link in an e-mail that waits if today’s e-mails are used up. */
export async function prepareDelivery(c: Context, of: Employee) {
  if (of.user !== null) return { state: 'sent', email: '', queuedAt: null } as const
  const queuedAt = (await tryConsumeRecipientAllowance(c)) ? c.now.toString() : null
  return { state: 'sending', email: of.email, queuedAt } as const
}

/** Requests the e-mail, or notifies the account, of a contract that was sent. */
export async function deliverContract(c: Context, row: Contract, of: Employee): Promise<void> {
  if (of.user !== null && !row.email)
    await notifyUsers(c, contractToSignNotification, [{ to: of.user, about: row.id, since: c.now.toString() }])
  else if (row.queuedAt) await requestContractEmail(c, row, of)
}

export async function requestContractEmail(c: Context, row: Contract, of: Employee): Promise<void> {
  const ours = await c.once('company of a contract', () => c.get(client, c.clientId))
  const facts = { company: ours?.company ?? '', name: of.name, title: row.title }
  const email =
    row.state === 'complete'
      ? composeEmail(contractCompleteEmail, facts)
      : composeEmail(contractEmail, { ...facts, until: row.signUntil })
  await c.emit(emailRequested, {
    to: row.email,
    ...email,
    link: { kind: contractSecretLink.kind, about: { contract: row.id } },
    about: iriOf(contract, row.id),
  })
}

/** Sends an employee without an account the link to their complete contract, also beyond the daily limit. */
export async function sendCompleteContract(c: Context, row: Contract): Promise<void> {
  const of = await c.get(employee, row.employee)
  if (row.email && of && !of.retired) await requestContractEmail(c, row, of)
}

/** Records that a mail server has accepted the e-mail. */
export const markContractEmailed = eventHandler(emailAccepted, {
  name: 'contract.mark-emailed',
  queue: 'events',
  run: async (c, { about, template, sentAt }) => {
    const id = idFromResourceIri(contract, about)
    if (template !== contractEmail.name || id === undefined) return
    const [row] = await c.lockAll(contract, { id, state: [...UNSIGNED_STATES] })
    if (row && !row.emailedAt)
      await c.set(contract, row, { emailedAt: sentAt, ...(row.state === 'sending' ? { state: 'sent' } : {}) }, 'email')
  },
})

/** Sends contracts that wait for a new day’s e-mails, oldest first. */
export const sendWaitingContracts = schedule({
  name: 'contract.send-waiting',
  every: { minutes: 15 },
  run: (engine) =>
    processRowsForAllClients(
      engine,
      {
        of: contract,
        where: { state: 'sending', queuedAt: null },
        condition: () => MAY_BE_SENT,
        reason: 'contract.send-waiting',
      },
      async (c, row) => {
        const of = await c.get(employee, row.employee)
        if (!of || of.retired || row.signUntil < londonDate(c.now).toString()) return
        if (!(await tryConsumeRecipientAllowance(c))) return
        const queuedAt = c.now.toString()
        await c.set(contract, row, { queuedAt }, 'email')
        await requestContractEmail(c, { ...row, queuedAt }, of)
      },
    ),
})

/** Sends a contract again: a new link ends the earlier ones. */
export async function resendContract(c: Context, row: Contract, days: number | null | undefined) {
  const of = await c.get(employee, row.employee)
  const countersigner = await c.get(employee, row.countersigner)
  if (!of || !countersigner) throw problem.notFound()
  const refused = deliveryProblem(of, await readOfficeAddresses(c, c.actor.username, countersigner))
  if (refused) throw problem.conflict(`${refused}.`)
  const today = londonDate(c.now)
  const signUntil = days ? today.add({ days }).toString() : row.signUntil
  if (signUntil < today.toString())
    throw problem.conflict('The last day to sign has passed. Please enter the days to sign.')
  const isByLink = of.user === null
  if (isByLink) await consumeRecipientAllowance(c, 1)
  const set = {
    state: row.state === 'opened' ? row.state : isByLink ? 'sending' : 'sent',
    email: isByLink ? of.email : '',
    queuedAt: isByLink ? c.now.toString() : null,
    emailedAt: null,
    hashes: [] as string[],
    signUntil,
  } as const
  await deliverContract(c, { ...row, ...set }, of)
  return set
}
