import { Problem, problem, violation } from '#kernel/errors.ts'
import { formatMoney } from '#kernel/money.ts'
import { type ActionInputOf, iriOf } from '#kernel/resource.ts'
import { hasRole } from '#kernel/roles.ts'
import { earlierDay } from '#kernel/time.ts'
import { firstQueryValue } from '#server/data/filters.ts'
import { behaviour } from '#server/engine/behaviour.ts'
import { type Route, RouteResponse } from '#server/engine/route.ts'
import { routeWithInput } from '#server/engine/route-input.ts'
import type { Context } from '#server/engine/types.ts'
import {
  discountApprovalState,
  requestDiscountApproval,
  requireDiscountApproval,
} from '../approvals/discount.server.ts'
import { creditNote } from '../credits/credit-note.ts'
import type { InvoiceRow } from '../invoices/lines.server.ts'
import { FINANCE_ROLES, SELLING_ROLES } from '../rights.ts'
import type { SubscriptionChangeAmounts } from './change-amounts.server.ts'
import { calculateSubscriptionChangeAmounts, subscriptionChangeFingerprint } from './change-amounts.server.ts'
import { findRaisedDiscount } from './discount.server.ts'
import { subscriptionsChanged } from './events.ts'
import type { PlannedSubscriptionChange, SubscriptionRow } from './periods.server.ts'
import {
  currentLondonIsoDate,
  planSubscriptionChange,
  type SubscriptionChangeInput,
  type SubscriptionValues,
  saveSubscriptionItems,
} from './periods.server.ts'
import { createAndIssueInvoice } from './sell.server.ts'
import {
  CANCEL_REASON_INPUT,
  type GivenCancelReason,
  SUBSCRIPTION_CHANGE_INPUT,
  type SubscriptionAction,
  subscription,
  subscriptionChange,
  subscriptionItem,
} from './subscription.ts'
import { combineLinePeriods, fullPeriodAmount } from './timeline.ts'

const CHANGE_REASON = 'apply a previewed change to a subscription'

/**
 * Throws 403 if the change results in a credit and the user is not finance staff. The system actor may also give
 * credit.
 */
function requireCreditPermission(c: Context, way: SubscriptionAction, { net }: SubscriptionChangeAmounts): void {
  if (net < 0 && c.actor.kind !== 'system' && !hasRole(c.actor, FINANCE_ROLES))
    throw problem.forbidden(
      way === 'pause'
        ? 'Only finance staff can pause this subscription, because pausing credits the unused days.'
        : 'Only finance staff can give a credit. Make the change from the next period, or without a credit.',
    )
}

/** Returns the reason for a cancellation. Throws 422 if it is missing or untrue, or if notes are required and missing. */
function readCancelReason(
  c: Context,
  { pastDueOn }: SubscriptionRow,
  { reason, notes }: ActionInputOf<typeof CANCEL_REASON_INPUT>,
) {
  if (!reason) throw problem.invalid([violation('reason', 'Please choose the reason for cancelling')])
  if (reason === 'unpaid' && pastDueOn === null && c.actor.kind !== 'system')
    throw problem.invalid([
      violation('reason', 'No invoice of this subscription is overdue. Please choose another reason'),
    ])
  const cancelNotes = (notes ?? '').trim()
  if (reason === 'other' && !cancelNotes) throw problem.invalid([violation('notes', 'Please describe the reason')])
  return { cancelReason: reason, cancelNotes }
}

/**
 * Applies a planned change: items, credit notes, invoice and history. Returns the changed values of the subscription.
 */
async function applySubscriptionChange(
  c: Context,
  row: SubscriptionRow,
  planned: PlannedSubscriptionChange,
  reckoned: SubscriptionChangeAmounts,
): Promise<SubscriptionValues> {
  await saveSubscriptionItems(c, row, planned.before, planned.after)
  const sentence = sentenceFor(planned, reckoned)
  const credited = await credit(c, reckoned, sentence)
  const billed = reckoned.drafted.length ? await charge(c, row, reckoned) : undefined
  await c.withoutPermissionCheck(CHANGE_REASON).create(subscriptionChange, {
    subscription: row.id,
    kind: planned.kind,
    day: planned.day,
    description: sentence,
    lines: reckoned.lines,
    net: reckoned.net,
    tax: reckoned.tax,
    invoice: billed?.id ?? null,
    creditNotes: credited.join(', '),
    ...(planned.set.status === 'cancelled' || planned.set.cancelAtPeriodEnd
      ? { reason: planned.set.cancelReason ?? row.cancelReason, notes: planned.set.cancelNotes ?? row.cancelNotes }
      : {}),
  })
  await c.emit(subscriptionsChanged, { customer: row.customer })
  const isOver = planned.kind === 'cancelNow' || planned.kind === 'pause'
  const day = earlierDay(currentLondonIsoDate(c), planned.set.renewsOn ?? row.renewsOn)
  return {
    ...planned.set,
    ...(reckoned.paid === undefined ? {} : { paidItems: reckoned.paid }),
    ...(isOver ? {} : { amount: fullPeriodAmount(planned.after, day) }),
  }
}

/** Returns the sentence of a change. A cancellation already says whether the unused days are credited. */
function sentenceFor({ kind, sentence }: PlannedSubscriptionChange, { waives, isPaid }: SubscriptionChangeAmounts) {
  if (isPaid) return `${sentence} This period is already paid for.`
  return waives && kind !== 'cancelNow' ? `${sentence} The unused days are not credited.` : sentence
}

async function charge(
  c: Context,
  row: SubscriptionRow,
  { drafted, invoiced }: SubscriptionChangeAmounts,
): Promise<InvoiceRow> {
  return createAndIssueInvoice(
    c,
    {
      customer: row.customer,
      currency: row.currency,
      origin: 'subscription',
      subscription: row.id,
      poNumber: row.poNumber,
      lines: drafted,
      ...combineLinePeriods(drafted),
    },
    {
      fits: ({ total, currency }) => {
        if (total === invoiced) return true
        throw new Error(
          `The invoice total is ${formatMoney(total, currency)}, but the preview showed ${formatMoney(invoiced, currency)}`,
        )
      },
    },
  )
}

/** Creates one credit note for each credited invoice and returns their numbers. */
async function credit(c: Context, { credits }: SubscriptionChangeAmounts, reason: string): Promise<string[]> {
  const numbers: string[] = []
  for (const [invoice, lines] of Map.groupBy(credits, (one) => one.invoice)) {
    const made = await c.withoutPermissionCheck(CHANGE_REASON).create(creditNote, {
      invoice,
      reason,
      to: 'balance',
      lines: lines.map(({ line, net }) => ({ line, net })),
    })
    const { id } = await made.saved()
    numbers.push((await c.get(creditNote, id))?.number ?? '')
  }
  return numbers
}

const look = async (c: Context, row: SubscriptionRow, asked: SubscriptionChangeInput) => {
  const planned = await planSubscriptionChange(c, row, asked)
  const reckoned = await calculateSubscriptionChangeAmounts(c, row, planned)
  return { planned, reckoned, token: subscriptionChangeFingerprint(row, asked, planned, reckoned) }
}

const OUTDATED =
  'The price or the subscription has changed since your preview, so nothing was saved. Check the new preview and confirm again.'

/**
 * Rethrows an error, with 409 instead of 422. The action was valid in the preview, so another change must have been
 * made since.
 */
function outdated(e: unknown): never {
  if (e instanceof Problem && e.status === 422) throw problem.conflict(`${e.message} ${OUTDATED}`, 'preview_outdated')
  throw e
}

const CANCELS: ReadonlySet<SubscriptionAction> = new Set(['cancelAtPeriodEnd', 'cancelNow'])

const withReason = (planned: PlannedSubscriptionChange, why: SubscriptionValues): PlannedSubscriptionChange => ({
  ...planned,
  set: { ...planned.set, ...why },
})

export const subscriptionBehaviour = behaviour(subscription, {
  actions: {
    change: async (c) => {
      const { row, input } = c
      const { token: seen, reason, notes, ...asked } = input
      const why = CANCELS.has(asked.way) ? readCancelReason(c, row, { reason, notes }) : {}
      const { planned, reckoned, token } = await look(c, row, asked).catch(outdated)
      requireCreditPermission(c, asked.way, reckoned)
      if (seen !== token) throw problem.conflict(OUTDATED, 'preview_outdated')
      const raised = await findRaisedDiscount(c, row, planned)
      if (raised) await requireDiscountApproval(c, raised.quote, raised.given, 'The subscription was not changed.')
      return { set: await applySubscriptionChange(c, row, withReason(planned, why), reckoned) }
    },
    askApproval: async (c) => {
      const { reason, ...asked } = c.input
      const raised = await findRaisedDiscount(c, c.row, await planSubscriptionChange(c, c.row, asked))
      if (!raised) throw problem.conflict('The change doesn’t raise the discount, so you can change the subscription.')
      await requestDiscountApproval(c, raised.quote, raised.given, { reason, next: 'change the subscription' })
      return {}
    },
    keepPrice: async (c) => {
      const { row, input } = c
      const item = row.items.find((one) => one.id === input.item && one.until === null)
      if (!item) throw problem.invalid([violation('item', 'Please choose one of the current items')])
      if (item.keepsPrice === input.keep) return {}
      const right = c.withoutPermissionCheck(CHANGE_REASON)
      await right.set(
        subscriptionItem,
        await right.lock(subscriptionItem, item.id),
        { keepsPrice: input.keep },
        'change',
      )
      await right.create(subscriptionChange, {
        subscription: row.id,
        kind: 'keepPrice',
        day: currentLondonIsoDate(c),
        description: `${item.description} ${input.keep ? 'keeps its agreed price' : 'follows notices of a new price'}.`,
        lines: [],
      })
      return {}
    },
    cancel: async (c) => ({ set: await cancelNow(c, c.row, readCancelReason(c, c.row, c.input)) }),
  },
})

/** Cancels a subscription now without a credit. Returns the changed values of the subscription. */
async function cancelNow(c: Context, row: SubscriptionRow, why: SubscriptionValues): Promise<SubscriptionValues> {
  const { planned, reckoned } = await look(c, row, { way: 'cancelNow', when: 'now', credit: false })
  return applySubscriptionChange(c, row, withReason(planned, why), reckoned)
}

const REDUCES: ReadonlySet<SubscriptionAction> = new Set([
  'quantity',
  'swap',
  'remove',
  'cancelAtPeriodEnd',
  'cancelNow',
])

/**
 * Returns the credit for the unused days of a change made now, in pence including VAT; null if there is none or if the
 * change is invalid now.
 */
async function unusedDays(c: Context, row: SubscriptionRow, asked: SubscriptionChangeInput): Promise<number | null> {
  if (!REDUCES.has(asked.way)) return null
  const way = asked.way === 'cancelAtPeriodEnd' ? 'cancelNow' : asked.way
  try {
    const { reckoned } = await look(c, row, { ...asked, way, when: 'now', credit: true })
    return reckoned.net < 0 ? -reckoned.gross : null
  } catch (e) {
    if (e instanceof Problem) return null
    throw e
  }
}

/**
 * `POST subscriptions/{id}/preview`: returns the amounts of a change, line by line, and the token that `change` takes.
 */
export const subscriptionPreviewRoute = routeWithInput(SUBSCRIPTION_CHANGE_INPUT, {
  method: 'POST',
  path: `${subscription.url}/{id}/preview`,
  title: 'Preview the amounts for a subscription change, with the token for `change`',
  allow: SELLING_ROLES,
  whileImpersonating: true,
  refuses: [409, 422],
  of: subscription,
  handle: async (c) => {
    const id = await c.engine.idOf(subscription, c.actor, c.params.id)
    return c.engine.inTenant(c.me.clientId, c.change(), async (unit) => {
      const row = await unit.lock(subscription, id)
      const { planned, reckoned, token } = await look(unit, row, c.input)
      const { lines, net, tax, invoiced, credited, gross } = reckoned
      const unused = await unusedDays(unit, row, c.input)
      const { before, after } = planned
      const today = earlierDay(currentLondonIsoDate(unit), row.renewsOn)
      const raised = await findRaisedDiscount(unit, row, planned)
      const approval = raised && (await discountApprovalState(unit, raised.quote, raised.given))
      return () => ({
        '@id': `${iriOf(subscription, id)}/preview`,
        '@type': 'SubscriptionPreview',
        sentence: sentenceFor(planned, reckoned),
        currency: row.currency,
        lines,
        net,
        tax,
        gross,
        invoiced,
        credited,
        needsFinance: net < 0,
        unused,
        perPeriod: fullPeriodAmount(before, today),
        perNextPeriod: fullPeriodAmount(after, row.renewsOn),
        nextPeriod: row.renewsOn,
        items: planned.before.length,
        approval,
        token,
      })
    })
  },
})

/**
 * `DELETE subscriptions/{id}`: cancels the subscription now. The subscription remains readable and can't be cancelled
 * again. The specified call has no reason, so the reason is then recorded as unknown.
 */
export const cancelSubscriptionRoute: Route = {
  method: 'DELETE',
  path: `${subscription.url}/{id}`,
  title: 'Cancel a subscription now; it can still be viewed',
  allow: SELLING_ROLES,
  query: CANCEL_REASON_INPUT,
  refuses: [409, 422],
  handle: async (c) => {
    const id = await c.engine.idOf(subscription, c.actor, c.params.id)
    const gone = () => new RouteResponse(204)
    return c.engine.inTenant(c.me.clientId, { ...c.change(gone), resource: subscription, id }, async (unit) => {
      const reason = firstQueryValue(c.query.reason)
      if (reason) {
        const notes = firstQueryValue(c.query.notes) ?? ''
        await unit.act(subscription, 'cancel', id, { reason: reason as GivenCancelReason, notes })
        return gone
      }
      const row = await unit.lock(subscription, id)
      const set = await cancelNow(unit, row, { cancelReason: row.cancelReason ?? 'notRecorded' })
      await unit.withoutPermissionCheck(CHANGE_REASON).set(subscription, row, set, 'cancel')
      return gone
    })
  },
}
