import { problem } from '#kernel/errors.ts'
import { formatMoney } from '#kernel/money.ts'
import type { RowOf } from '#kernel/resource.ts'
import { authorOf, PROVIDER_CLIENT_ID } from '#kernel/roles.ts'
import { isSamePerson } from '#modules/identity/people/accounts.server.ts'
import { user } from '#modules/identity/people/user.ts'
import { notifyUsers } from '#modules/portal/notices/notify.server.ts'
import { prepareSql } from '#server/data/values.ts'
import { declareNotificationType } from '#server/engine/module.ts'
import type { Context } from '#server/engine/types.ts'
import { billingUrls } from '../billing-urls.ts'
import { creditNote } from '../credits/credit-note.ts'
import { customer } from '../customers/customer.ts'
import { billingNav } from '../nav.ts'
import { DEFAULT_REFUND_LIMIT_PENCE, paymentSettings, refund } from '../payments/charge.ts'
import { FINANCE_ROLES } from '../rights.ts'
import { FINANCE_REQUEST_NOUNS, financeRequest, nameFinanceRequest } from './finance-request.ts'

/** Days over which amounts are added up. */
const LIMIT_DAYS = 30

/**
 * Amounts in a customer's favour that were decided without a second person: refunds, write-offs, void invoices, balance
 * changes that are not payments received, and credit notes. A credit note counts minus the refunds that it requested
 * and minus amounts that had been written off.
 */
const DECIDED_ALONE = prepareSql(
  `WITH act AS (
     SELECT charge_id, customer_id, created_by AS person, amount FROM refund
       WHERE client_id = $1::int AND created_at > $2::timestamptz AND state IN ('pending', 'succeeded') AND approved_by = ''
     UNION ALL
     SELECT NULL, n.customer_id, n.author, n.total - n.amount_refunded - coalesce((SELECT sum(e.amount) FROM ledger_transaction t
         JOIN ledger_entry e ON e.client_id = t.client_id AND e.transaction_id = t.id AND e.account = 'receivable' AND e.amount > 0
         WHERE t.client_id = n.client_id AND t.source = '${creditNote.type}' AND t.source_id = n.id), 0)
       FROM credit_note n WHERE n.client_id = $1::int AND n.created_at > $2::timestamptz AND n.finance_request_id IS NULL
     UNION ALL
     SELECT NULL, t.customer_id, t.author, -e.amount FROM ledger_transaction t
       JOIN ledger_entry e ON e.client_id = t.client_id AND e.transaction_id = t.id AND e.account = 'receivable' AND e.amount < 0
       WHERE t.client_id = $1::int AND t.created_at > $2::timestamptz AND t.kind IN ('badDebt', 'adjustment', 'void')
         AND NOT EXISTS (SELECT FROM finance_request f WHERE f.client_id = t.client_id AND f.source_id = t.source_id AND f.source = t.source))
   SELECT coalesce(sum(amount) FILTER (WHERE charge_id = $3::bigint), 0)::bigint,
     coalesce(sum(amount) FILTER (WHERE customer_id = $4::bigint), 0)::bigint,
     coalesce(sum(amount) FILTER (WHERE person = $5::text), 0)::bigint FROM act`,
)

interface MoneyAct {
  /** ID of the customer in whose favour the decision is; absent for a customer who is being created. */
  readonly customer?: number
  /** ID of the charge that is refunded. */
  readonly charge?: number
  /** Pence in the customer's favour. */
  readonly amount: number
}

/**
 * Returns whether a decision needs a second person: its amount and everything decided by one person in the last 30 days
 * exceed the limit, for this charge, for this customer, or by this person. Locks the customer and then the client's
 * limit until the transaction ends, so that simultaneous decisions are added up too.
 */
export async function needsSecondPerson(c: Context, act: MoneyAct): Promise<boolean> {
  if (act.amount <= 0) return false
  const { customer: whose = null, charge = null } = act
  if (whose !== null) await c.withoutPermissionCheck('add up what a customer was given').lock(customer, whose, 'values')
  const since = c.now.subtract({ hours: 24 * LIMIT_DAYS }).toString()
  const sums = await c.work.flushWith(async () => {
    await c.work.tx.rows("SELECT pg_advisory_xact_lock(hashtext('money_limit'), $1)", [c.clientId])
    const { username } = authorOf(c.actor)
    const person = c.actor.kind === 'system' ? null : username
    const [row = []] = await c.work.tx.arrays(DECIDED_ALONE, [c.clientId, since, charge, whose, person])
    return row.map(Number)
  })
  const [settings] = await c.find(paymentSettings, {})
  const limit = settings?.refundLimit ?? DEFAULT_REFUND_LIMIT_PENCE
  return act.amount + Math.max(0, ...sums) > limit
}

/**
 * Throws 409 if a decision needs a second person. `what` names the decision, such as `write-off`; `next` says what to
 * do instead.
 */
export async function requireWithinLimit(
  c: Context,
  what: string,
  act: MoneyAct,
  next = 'Choose “Request approval”.',
): Promise<void> {
  if (await needsSecondPerson(c, act))
    throw problem.conflict(
      `Together with the last ${LIMIT_DAYS} days, this ${what} is above the approval limit, so a second person must approve it. Nothing was changed. ${next}`,
      'approval_needed',
    )
}

type Approver = RowOf<typeof user>

/** Returns the finance staff other than these users. */
export async function findApprovers(
  c: Context,
  not: readonly (string | null | undefined)[],
): Promise<readonly Approver[]> {
  const people = await c.withoutPermissionCheck('look up who can approve').find(user, { isRetired: false })
  return people.filter(
    ({ username, roles }) => !not.includes(username) && FINANCE_ROLES.some((role) => roles.includes(role)),
  )
}

/** Returns the error message for a company without a second approver. It names the next step. */
export const describeMissingApprover = (
  { clientId }: Pick<Context, 'clientId'>,
  what: string,
  settings: string,
): string =>
  `This ${what} needs a second approver. Give another user the right ${clientId === PROVIDER_CLIENT_ID ? '“Finance”' : '“Invoicing and finance”'}, or raise the limit in the ${settings} settings: a higher limit applies from the next day.`

/** Returns the users who can approve the actor's decision. Throws 409 if there are none. */
export async function requireApprovers(c: Context, what: string): Promise<readonly Approver[]> {
  const approvers = await findApprovers(c, [c.actor.username, c.actor.original?.username])
  if (!approvers.length) throw problem.conflict(describeMissingApprover(c, what, 'payment'), 'no_second_person')
  return approvers
}

/** Throws 403 if the actor, under any present or former username, requested the decision that awaits approval. */
export async function assertSecondPerson(c: Context, requester: string, what: string): Promise<void> {
  if (await isSamePerson(c, [requester]))
    throw problem.forbidden(`A ${what} must be approved by somebody other than the person who requested it.`)
}

const approvalTask = {
  for: FINANCE_ROLES,
  icon: 'check',
  path: (_: unknown, __: unknown, { clientId }: { readonly clientId: number }) => billingUrls(clientId).approvals,
  waits: billingNav.approvals.area,
  todo: 'to approve',
  mail: true,
} as const

const refundWaitingNotification = declareNotificationType({
  ...approvalTask,
  kind: 'refund.waiting',
  label: 'Refunds to approve',
  of: refund,
  words: ({ customer: to, amount, currency }) =>
    `Refund awaiting approval: ${formatMoney(amount, currency)} to ${to.companyName ?? 'a customer'}`,
})

const requestWaitingNotification = declareNotificationType({
  ...approvalTask,
  kind: 'finance_request.waiting',
  label: 'Balance changes, write-offs, voids and credit notes to approve',
  of: financeRequest,
  words: ({ kind, customer: of, invoice, amount, currency }) =>
    `${nameFinanceRequest(kind, invoice)} awaiting approval: ${formatMoney(amount, currency)} for ${of.companyName ?? 'a customer'}`,
})

export const moneyLimitNotifications = [refundWaitingNotification, requestWaitingNotification]

const NOTIFICATIONS = { refund: refundWaitingNotification, request: requestWaitingNotification } as const

/** Notifies those who can approve a refund or a request. */
export const notifyApprovers = (
  c: Context,
  what: keyof typeof NOTIFICATIONS,
  id: number,
  approvers: readonly Approver[],
): Promise<void> =>
  notifyUsers(
    c,
    NOTIFICATIONS[what],
    approvers.map((one) => ({ to: one.id, about: id })),
  )

/** Requests a second person's approval of a decision above the limit. Throws 409 if there is no approver. */
export async function requestFinanceApproval(
  c: Context,
  asked: Pick<RowOf<typeof financeRequest>, 'kind' | 'customer' | 'invoice' | 'amount' | 'currency' | 'reason'> &
    Partial<Pick<RowOf<typeof financeRequest>, 'credit'>>,
): Promise<void> {
  const approvers = await requireApprovers(c, FINANCE_REQUEST_NOUNS[asked.kind])
  const right = c.withoutPermissionCheck('request a second person’s approval')
  const waiting = await c.find(financeRequest, { customer: asked.customer, state: 'waiting' })
  if (asked.invoice !== null && waiting.some(({ invoice }) => invoice === asked.invoice))
    throw problem.conflict(
      'A request for this invoice is already awaiting approval. To change it, withdraw the request first.',
    )
  const { username } = authorOf(c.actor)
  if (waiting.some(({ kind, amount, author }) => kind === 'balance' && amount === asked.amount && author === username))
    throw problem.conflict(
      'You have already requested this balance change, and it is awaiting approval.',
      'already_there',
    )
  const made = await right.create(financeRequest, {
    ...asked,
    reason: asked.reason.trim(),
    createdAt: c.now.toString(),
  })
  await notifyApprovers(c, 'request', (await made.saved()).id, approvers)
}
