import { problem, violation } from '#kernel/errors.ts'
import { date, text } from '#kernel/fields.ts'
import { formatMoney } from '#kernel/money.ts'
import { iriOf } from '#kernel/resource.ts'
import { authorOf } from '#kernel/roles.ts'
import { ukDay } from '#kernel/time.ts'
import type { Route, RouteContext } from '#server/engine/route.ts'
import { routeWithInput } from '#server/engine/route-input.ts'
import type { Context } from '#server/engine/types.ts'
import { subListRoute } from '#server/http/list-route.ts'
import { customer } from '../customers/customer.ts'
import { invoice } from '../invoices/invoice.ts'
import { charge } from '../payments/charge.ts'
import { FINANCE_ROLES, SELLING_ROLES } from '../rights.ts'
import type { DunningPlan } from './dunning.ts'
import { dunning, dunningStep } from './dunning.ts'
import { recordDunningStep, updateDunning } from './follow.server.ts'
import { plusDays } from './mail.ts'
import { dunningSituationOf, loadDunningRules, lockDunning, todayOf } from './situation.server.ts'

/** Longest pause in days. */
const MAX_PAUSE_DAYS = 92

const AT = `${invoice.url}/{id}/dunning`

async function planOf(c: Context, id: number): Promise<DunningPlan> {
  const [d] = await c.find(dunning, { invoice: id })
  const situation = await dunningSituationOf(c, { id })
  const { final } = await loadDunningRules(c)
  return {
    '@id': AT.replace('{id}', String(id)),
    '@type': 'DunningPlan',
    state: d?.state ?? null,
    pausedUntil: d && d.pausedUntil !== null && d.pausedUntil >= todayOf(c) ? d.pausedUntil : null,
    pauseReason: d?.pauseReason ?? '',
    pausedBy: d?.pausedBy ?? '',
    underWay: situation?.underWay ?? false,
    final,
    steps: (await c.find(dunningStep, { invoice: id })).toReversed().map((one) => ({
      id: one.id,
      kind: one.kind,
      day: one.day,
      description: one.description,
      sentTo: one.sentTo ?? '',
      charge: one.charge === null ? null : iriOf(charge, one.charge),
      author: one.author,
    })),
    next: situation?.next ?? [],
  }
}

/** Runs in the caller's tenant for an invoice they can access. */
async function answer(c: RouteContext, work: (unit: Context, id: number) => Promise<void> = async () => {}) {
  const id = await c.engine.idOf(invoice, c.actor, c.params.id)
  await c.engine.one(invoice, c.actor, id)
  return c.engine.inTenant(c.me.clientId, c.change(), async (unit) => {
    await work(unit, id)
    const plan = await planOf(unit, id)
    return () => ({ ...plan })
  })
}

async function pause(c: Context, id: number, until: string, reason: string): Promise<void> {
  const today = todayOf(c)
  if (until < today) throw problem.invalid([violation('until', 'This date has passed')])
  if (until > plusDays(today, MAX_PAUSE_DAYS))
    throw problem.invalid([
      violation('until', `A pause can last until ${ukDay(plusDays(today, MAX_PAUSE_DAYS))} at most`),
    ])
  const owed = await c.lock(invoice, id)
  if (owed.state !== 'open')
    throw problem.conflict(`This invoice is ${owed.state}: there are no reminders.`, 'wrong_state')
  const d = await lockDunning(c, owed)
  if (d.state !== 'collecting')
    throw problem.conflict('There are no reminders to pause for this invoice.', 'wrong_state')
  await recordDunningStep(c, d, { kind: 'paused', description: `Paused until ${ukDay(until)}: ${reason}` })
  await updateDunning(c, d, { pausedUntil: until, pauseReason: reason, pausedBy: authorOf(c.actor).username }, 'pause')
}

async function resume(c: Context, id: number): Promise<void> {
  const owed = await c.lock(invoice, id)
  const [d] = await c.lockAll(dunning, { invoice: id })
  if (owed.state !== 'open' || !d || (d.state !== 'held' && d.pausedUntil === null))
    throw problem.conflict('The reminders of this invoice are not paused.', 'wrong_state')
  const money = formatMoney(owed.amountDue, owed.currency)
  await recordDunningStep(c, d, { kind: 'resumed', description: `Reminders for ${money} resumed.` })
  const anew = d.state === 'held' ? { state: 'collecting' as const, dueOn: todayOf(c) } : {}
  await updateDunning(c, d, { ...anew, pausedUntil: null, pauseReason: '', pausedBy: '' }, 'resume')
}

export const dunningRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: AT,
    title: 'List the reminder history and upcoming steps of an invoice',
    allow: SELLING_ROLES,
    handle: (c) => answer(c),
  },
  routeWithInput(
    {
      until: date({ required: 'Please enter a date', label: 'Until' }),
      reason: text({ required: 'Please enter a reason', max: 500, label: 'Reason' }),
    },
    {
      method: 'POST',
      path: `${AT}/pause`,
      title: 'Pause the reminders of an invoice until a date, such as after a promise to pay',
      allow: FINANCE_ROLES,
      refuses: [409],
      of: invoice,
      handle: (c) => answer(c, (unit, id) => pause(unit, id, c.input.until, c.input.reason)),
    },
  ),
  {
    method: 'POST',
    path: `${AT}/resume`,
    title: 'Resume reminders that are paused or on hold',
    allow: FINANCE_ROLES,
    refuses: [409],
    handle: (c) => answer(c, resume),
  },
  subListRoute({
    path: '/api/financial/customers/{id}/dunnings',
    title: 'List the overdue invoices of a customer, oldest first',
    of: customer,
    r: dunning,
    where: (id) => `t.customer_id = ${id}`,
    allow: SELLING_ROLES,
  }),
]
