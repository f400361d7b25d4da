import { problem, violation } from '#kernel/errors.ts'
import { flag, integer, text } from '#kernel/fields.ts'
import { formatMoney } from '#kernel/money.ts'
import { formatIsoDateAsUk } from '#kernel/time.ts'
import { behaviour } from '#server/engine/behaviour.ts'
import type { Route, RouteContext } from '#server/engine/route.ts'
import { routeWithInput } from '#server/engine/route-input.ts'
import type { Context } from '#server/engine/types.ts'
import { customer } from '../customers/customer.ts'
import { invoice } from '../invoices/invoice.ts'
import { createInvoiceDraft, issueInvoice } from '../invoices/issue.server.ts'
import type { InvoiceRow } from '../invoices/lines.server.ts'
import { FINANCE_ROLES, SELLING_ROLES } from '../rights.ts'
import { recordDunningStep } from './follow.server.ts'
import {
  type BaseRate,
  baseRate,
  computeLateInterest,
  type DebtMovement,
  KNOWN_BASE_RATES,
  type LateInterest,
  type LateInterestAnswer,
  lateClaim,
  remainingLateInterest,
} from './late-interest.ts'
import { currentLondonDate, lockOrCreateDunning } from './situation.server.ts'

/** Daily changes of an invoice's debt. Write-offs are left out, because the customer still owes the money. */
const MOVEMENTS = `SELECT e.day::text, sum(e.amount)::bigint AS amount FROM ledger_entry e
  JOIN ledger_transaction t ON t.client_id = e.client_id AND t.id = e.transaction_id
  WHERE e.client_id = $1 AND e.invoice_id = $2 AND e.account = 'receivable' AND t.kind <> 'badDebt' GROUP BY e.day ORDER BY e.day`

/**
 * Returns the changes of the debt. Customer credit that was applied to the invoice has no posting, so it is deducted
 * from the first day, in the customer's favour.
 */
async function movementsOf(c: Context, owed: InvoiceRow): Promise<DebtMovement[]> {
  await c.work.flush()
  const rows = await c.work.tx.rows<{ day: string; amount: string }>(MOVEMENTS, [c.clientId, owed.id])
  const posted = rows.map(({ day, amount }) => ({ day, amount: Number(amount) }))
  const balance = posted.reduce((sum, { amount }) => sum + amount, 0)
  const applied = Math.max(0, balance - owed.amountDue - owed.amountWrittenOff)
  const [first] = posted
  return first && applied ? [{ day: first.day, amount: -applied }, ...posted] : posted
}

async function ratesOf(c: Context): Promise<BaseRate[]> {
  const own = await c.find(baseRate, {})
  return [...KNOWN_BASE_RATES, ...own.map(({ day, percent }) => ({ day, percent }))]
}

/** Returns the claims that count. Those on void debit notes don't count. */
async function claimsOf(c: Context, id: number) {
  const all = await c.find(lateClaim, { invoice: id })
  const documents = all.flatMap(({ document }) => document ?? [])
  const found = documents.length ? await c.find(invoice, { id: documents }) : []
  return all.flatMap((claim) => {
    const document = found.find((one) => one.id === claim.document) ?? null
    return document?.state === 'void' ? [] : [{ ...claim, document }]
  })
}

interface LateSituation {
  readonly late: LateInterest
  readonly barred: string | null
  readonly claims: Awaited<ReturnType<typeof claimsOf>>
}

/** Returns the interest and fixed sum that can be added today, or the reason why nothing can. */
async function loadLateInterest(c: Context, owed: InvoiceRow): Promise<LateSituation> {
  const today = currentLondonDate(c)
  const claims = await claimsOf(c, owed.id)
  const { dueOn, currency } = owed
  const debt = { dueOn: dueOn ?? today, currency, movements: await movementsOf(c, owed) }
  const late = remainingLateInterest(computeLateInterest(debt, await ratesOf(c), today), claims)
  return { late, claims, barred: await reasonAgainst(c, owed, late) }
}

async function reasonAgainst(c: Context, owed: InvoiceRow, late: LateInterest): Promise<string | null> {
  if (owed.origin === 'interest') return 'This is a debit note for late payment. It bears no interest itself.'
  if (owed.state !== 'open' && owed.state !== 'paid') return 'Interest is only added to invoices that are open or paid.'
  const buyer = await c.get(customer, owed.customer)
  if (buyer?.consumer) return 'This customer is a consumer. Statutory interest is for debts between businesses only.'
  if (late.to < late.from) return 'This invoice is not overdue.'
  if (late.interest === null || late.percent === null)
    return `The Bank of England base rate on ${formatIsoDateAsUk(late.rateDay)} is unknown. Add it first.`
  return late.interest + late.fixedSum > 0 ? null : 'There is no interest to add.'
}

/** Returns the sentence about interest for a reminder; undefined if there is none. */
export async function describeLateInterest(c: Context, owed: InvoiceRow): Promise<string | undefined> {
  const { late, barred } = await loadLateInterest(c, owed)
  if (barred !== null || late.interest === null) return undefined
  const [interest, fixed] = [late.interest, late.fixedSum].map((pence) => formatMoney(pence, owed.currency))
  return `Under the Late Payment of Commercial Debts (Interest) Act 1998, we are entitled to interest at ${late.percent}% a year, ${interest} to date${late.fixedSum ? `, and to a fixed sum of ${fixed}` : ''}. We have not added these amounts.`
}

const AT = `${invoice.url}/{id}/late_interest`

/** Runs the work on an invoice that the caller can access, and returns the interest afterwards. */
async function answer(c: RouteContext, work?: (unit: Context, owed: InvoiceRow) => Promise<void>) {
  const id = await c.engine.idOf(invoice, c.actor, c.params.id)
  await c.engine.one(invoice, c.actor, id)
  return c.engine.inTenant(c.me.clientId, c.change(), async (unit) => {
    if (work) await work(unit, await unit.withoutPermissionCheck(REASON).lock(invoice, id))
    const owed = await unit.get(invoice, id)
    if (!owed) throw problem.notFound()
    const { late, barred, claims } = await loadLateInterest(unit, owed)
    const body: LateInterestAnswer = {
      '@id': AT.replace('{id}', String(id)),
      '@type': 'LateInterest',
      ...late,
      barred,
      claims: claims.map(({ document, ...one }) => ({
        id: one.id,
        state: one.state === 'waived' ? 'waived' : 'added',
        document: document && { id: document.id, number: document.number },
        from: one.from,
        to: one.to,
        interest: one.interest,
        fixedSum: one.fixedSum,
        reason: one.reason,
        author: one.author,
      })),
    }
    return () => ({ ...body })
  })
}

const REASON = 'add late payment interest that finance has decided on'

/** Parts of the claim to add or to waive. */
interface ClaimInput {
  readonly interest: boolean
  readonly fixedSum: boolean
}

/**
 * Returns the amounts to add or waive. Throws 409 if there is nothing to add or waive, or the amount differs from the
 * one shown.
 */
async function chosenPart(c: Context, owed: InvoiceRow, { interest, fixedSum }: ClaimInput, amount?: number) {
  const { late, barred } = await loadLateInterest(c, owed)
  if (barred !== null) throw problem.conflict(barred, 'wrong_state')
  const part = { interest: interest ? (late.interest ?? 0) : 0, fixedSum: fixedSum ? late.fixedSum : 0 }
  const total = part.interest + part.fixedSum
  if (!total) throw problem.invalid([violation('interest', 'Choose the interest, the fixed sum or both')])
  if (amount !== undefined && amount !== total)
    throw problem.conflict(
      `The amount is now ${formatMoney(total, owed.currency)}. Check it and try again. Nothing was added.`,
      'preview_outdated',
    )
  return { ...part, total, late, percent: late.percent ?? 0 }
}

const outside = { quantity: 1, taxCode: 'outside', taxPercent: 0, discountable: false } as const

/** Issues a debit note for the chosen parts, outside the scope of VAT, and records the claim. */
async function add(c: Context, owed: InvoiceRow, input: ClaimInput & { readonly amount: number }): Promise<void> {
  const { interest, fixedSum, total, late, percent } = await chosenPart(c, owed, input, input.amount)
  const period = `${formatIsoDateAsUk(late.from)} to ${formatIsoDateAsUk(late.to)}`
  const draft = await createInvoiceDraft(c, {
    customer: owed.customer,
    currency: owed.currency,
    origin: 'interest',
    poNumber: owed.poNumber ?? '',
    lines: [
      ...(interest
        ? [
            {
              ...outside,
              unitAmount: interest,
              description: `Interest on invoice ${owed.number}, ${period}, at ${percent}% a year (Late Payment of Commercial Debts (Interest) Act 1998)`,
            },
          ]
        : []),
      ...(fixedSum
        ? [
            {
              ...outside,
              unitAmount: fixedSum,
              description: `Fixed sum for late payment of invoice ${owed.number} (section 5A of the Act)`,
            },
          ]
        : []),
    ],
  })
  const issued = await issueInvoice(c, draft)
  await record(c, owed, { interest, fixedSum, late, percent, document: issued.id, reason: '' })
  const d = await lockOrCreateDunning(c, owed)
  await recordDunningStep(c, d, {
    kind: 'interest',
    description: `${formatMoney(total, owed.currency)} for late payment added by debit note ${issued.number}.`,
  })
}

interface DecidedClaim {
  readonly interest: number
  readonly fixedSum: number
  readonly late: LateInterest
  readonly percent: number
  readonly document: number | null
  readonly reason: string
}

const record = (c: Context, owed: InvoiceRow, { late: { from, to }, document, ...claim }: DecidedClaim) =>
  c.withoutPermissionCheck(REASON).create(lateClaim, {
    invoice: owed.id,
    document,
    state: document === null ? 'waived' : 'added',
    from,
    to,
    percent: claim.percent,
    interest: claim.interest,
    fixedSum: claim.fixedSum,
    reason: claim.reason,
  })

async function waive(c: Context, owed: InvoiceRow, input: ClaimInput & { readonly reason: string }): Promise<void> {
  const { total, ...part } = await chosenPart(c, owed, input)
  await record(c, owed, { ...part, document: null, reason: input.reason })
  const d = await lockOrCreateDunning(c, owed)
  await recordDunningStep(c, d, {
    kind: 'waived',
    description: `${formatMoney(total, owed.currency)} for late payment waived: ${input.reason}`,
  })
}

const parts = {
  interest: flag({ default: true, label: 'Interest' }),
  fixedSum: flag({ default: true, label: 'Fixed sum' }),
}

export const lateInterestRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: AT,
    title: 'Get the statutory interest and fixed sum of an overdue invoice, to date',
    allow: SELLING_ROLES,
    handle: (c) => answer(c),
  },
  routeWithInput(
    {
      ...parts,
      amount: integer({ required: 'Please enter the amount that was shown', pence: true, label: 'Amount' }),
    },
    {
      method: 'POST',
      path: `${AT}/add`,
      title: 'Add the interest or the fixed sum to the customer’s account, by a debit note outside the scope of VAT',
      allow: FINANCE_ROLES,
      refuses: [409],
      of: invoice,
      handle: (c) => answer(c, (unit, owed) => add(unit, owed, c.input)),
    },
  ),
  routeWithInput(
    { ...parts, reason: text({ required: 'Please enter a reason', max: 500, label: 'Reason' }) },
    {
      method: 'POST',
      path: `${AT}/waive`,
      title: 'Waive the interest or the fixed sum up to today, before it is added',
      allow: FINANCE_ROLES,
      refuses: [409],
      of: invoice,
      handle: (c) => answer(c, (unit, owed) => waive(unit, owed, c.input)),
    },
  ),
]

/** Rules for base rates: each is added once, on or after its day, for a half-year without a known rate. */
export const baseRateBehaviour = behaviour(baseRate, {
  beforeSave: async (c) => {
    const { day } = c.values
    if (!day) return undefined
    if (!/-(06-30|12-31)$/.test(day)) throw problem.invalid([violation('day', 'Please choose 30 June or 31 December')])
    if (day > currentLondonDate(c)) throw problem.invalid([violation('day', 'The rate of a future day is unknown')])
    if ((await ratesOf(c)).some((one) => one.day === day))
      throw problem.invalid([violation('day', 'The base rate of this day is already known', 'duplicate')])
    return undefined
  },
})
