import { problem, violation } from '#kernel/errors.ts'
import { defineSavedEvidence } from '#kernel/evidence.ts'
import type { RowOf, ValuesOf } from '#kernel/resource.ts'
import { authorOf, hasRole } from '#kernel/roles.ts'
import { londonDate } from '#kernel/time.ts'
import { contact, sale } from '#modules/crm/contacts/contact.ts'
import { ensureStaffRecordId } from '#modules/crm/staff/staff.server.ts'
import { staff } from '#modules/crm/staff/staff.ts'
import { isSamePerson } from '#modules/identity/people/accounts.server.ts'
import { findUsersWithRoles } from '#server/auth/accounts.ts'
import { behaviour } from '#server/engine/behaviour.ts'
import { feature } from '#server/engine/module.ts'
import type { Route } from '#server/engine/route.ts'
import type { Context } from '#server/engine/types.ts'
import { countedSale } from '../counted/counted-sale.ts'
import { lostRenewalValues, reopenedRenewalValues, updateRenewals } from '../counted/routes.server.ts'
import { SALES_MANAGER_ROLE, SELLER_ROLE } from '../rights.ts'
import {
  commissionLine,
  commissionMonth,
  commissionRate,
  firstDayOfCommissionMonth,
  formatCommissionMonth,
} from './month.ts'
import {
  holdMonthsOfSale,
  lockOpenCommissionMonth,
  recalculateCommission,
  reopenApprovedMonth,
} from './settle.server.ts'
import { COMMISSION_TOTALS_URL, type CommissionTotals } from './sums.ts'

type Sale = RowOf<typeof countedSale>
type Values = ValuesOf<typeof countedSale>

/** Fields that determine sales figures and commission. If one of them changes, the sale must be checked again. */
const COUNTED = ['day', 'seller', 'amount', 'currency', 'product'] as const

const saleBehaviour = behaviour(countedSale, {
  beforeSave: async (c) => {
    const { before, changes, values } = c
    if (!before || isCounted(changes))
      await holdMonthsOfSale(
        c,
        [before?.day, changes.day].filter((day) => day !== undefined),
      )
    if (before) await mustBeOpen(c, before, changes)
    if (changes.seller === null) throw problem.invalid([violation('seller', 'Please choose the seller')])
    const byHand = (values.source ?? 'hand') === 'hand'
    if (changes.day && byHand) await mustBeADay(c, changes.day)
    const owner =
      byHand && ('sale' in changes || 'seller' in changes || !before) ? await dealOwner(c, values) : undefined
    const seller =
      owner ?? (before || !byHand ? values.seller : (values.seller ?? (await ensureStaffRecordId(c)) ?? null))
    const sold = seller !== before?.seller || !before ? { seller: seller ?? null, ...(await personOf(c, seller)) } : {}
    return {
      ...sold,
      ...(await leadOf(c, before, changes)),
      ...(before && Object.keys(changes).length ? { version: before.version + 1 } : {}),
      ...(isCounted(changes) && before ? uncheckedBy(c, before) : {}),
      ...(!before && values.renewsOn ? { renewal: 'open' as const } : {}),
    }
  },
  afterSave: async (c) => {
    const sold = await c.written.saved()
    await recalculateCommission(c, sold)
    await updateRenewals(c, sold)
  },
  actions: {
    check: async (c) => {
      if (c.row.retired) throw problem.conflict('This sale is retired, so there is nothing to check.')
      if (isActor(c, c.row.person))
        throw problem.forbidden('You cannot check your own sale. Ask another sales manager.')
      await refuseOwnChange(c, c.row)
      assertAsRead(c)
      return { set: { checkedBy: authorOf(c.actor).username, checkedAt: c.now.toString() } }
    },
    retire: async (c) => {
      if (c.row.retired) throw problem.conflict('This sale is already retired.')
      mustNotBeChecked(c, c.row)
      const set = { retired: true, reason: c.input.reason }
      await recalculateCommission(c, { ...c.row, ...set })
      await updateRenewals(c, { ...c.row, ...set })
      return { set }
    },
    restore: async (c) => {
      if (!c.row.retired) throw problem.conflict('This sale is already counted.')
      await holdMonthsOfSale(c, [c.row.day])
      const set = { retired: false, reason: '', ...uncheckedBy(c, c.row) }
      await recalculateCommission(c, { ...c.row, ...set })
      await updateRenewals(c, { ...c.row, ...set })
      return { set }
    },
    lose: ({ row, input }) => ({ set: lostRenewalValues(row, input.reason) }),
    hope: ({ row }) => ({ set: reopenedRenewalValues(row) }),
  },
})

/** Throws 422 if a check does not state the version of the sale that was read, and 409 if the sale has changed since. */
function assertAsRead({
  row,
  input: { version, versions },
}: {
  readonly row: Sale
  readonly input: { readonly version?: number | null; readonly versions?: Readonly<Record<string, number>> | null }
}): void {
  const read = version ?? versions?.[row.id]
  if (read === undefined) throw problem.invalid([violation('version', 'Please read the sale first')])
  if (read !== row.version) throw problem.conflict('This sale has changed since you opened it. Please read it again.')
}

/** Returns the values of a sale that the actor has changed, so that it must be checked again. */
function uncheckedBy({ actor }: Context, { state, changedBy }: Pick<Sale, 'state' | 'changedBy'>) {
  const earlier = state === 'checked' ? [] : changedBy
  const all = [...new Set([...earlier, authorOf(actor).username])]
  return { state: 'waiting', changedBy: all, checkedBy: '', checkedAt: null } as const
}

/** Throws 403 if the actor has changed the sale since its last check, and another sales manager could check it. */
async function refuseOwnChange(c: Context, { changedBy, author, person }: Sale): Promise<void> {
  if (!(await isSamePerson(c, changedBy))) return
  const managers = await findUsersWithRoles(c.work.tx, c.clientId, [SALES_MANAGER_ROLE])
  const others = managers.filter(
    ({ userId, username }) => userId !== person && ![author, ...changedBy].includes(username),
  )
  if (others.length) throw problem.forbidden('You changed this sale. Ask another sales manager to check it.')
}

const isCounted = (changes: Values) => COUNTED.some((name) => name in changes)

/** Throws 409 if a seller tries to change a checked sale. */
function mustNotBeChecked({ actor }: Pick<Context, 'actor'>, { state }: Pick<Sale, 'state'>): void {
  if (state === 'checked' && !hasRole(actor, SALES_MANAGER_ROLE))
    throw problem.conflict('This sale has been checked. Ask a sales manager to change it.')
}

/** Throws 409 if a sale doesn't allow the change because it is retired, checked or paid. */
async function mustBeOpen(c: Context, before: Sale, changes: Values): Promise<void> {
  if (before.retired) throw problem.conflict('This sale is retired. Restore it first.')
  if (!isCounted(changes)) return
  mustNotBeChecked(c, before)
  await mustNotBeLocked(c, before.day, 'Retire the sale instead: its commission will be clawed back this month.')
}

/** Throws 422 if the day is in the future, and 409 if it belongs to a locked month. */
async function mustBeADay(c: Context, day: string): Promise<void> {
  if (day > londonDate(c.now).toString())
    throw problem.invalid([violation('day', 'The day of the sale can’t be in the future')])
  await mustNotBeLocked(c, day, 'Enter a day in an open month.')
}

async function mustNotBeLocked(c: Context, day: string, instead: string): Promise<void> {
  const month = firstDayOfCommissionMonth(Temporal.PlainDate.from(day)).toString()
  if (await c.exists(commissionMonth, { month, state: 'locked' }))
    throw problem.conflict(`${formatCommissionMonth(month)} is locked. ${instead}`)
}

const personOf = async (c: Context, seller: number | null | undefined) => ({
  person: typeof seller === 'number' ? ((await c.get(staff, seller))?.user ?? null) : null,
})

/**
 * Returns the owner of the deal that a sale is entered from, who is its seller; undefined without a deal or an owner.
 * Throws 403 for a colleague's deal, and 422 for another seller than the owner.
 */
async function dealOwner(c: Context, { sale: deal, seller }: Values): Promise<number | undefined> {
  const owner = typeof deal === 'number' ? (await c.get(sale, deal))?.user : undefined
  if (owner == null) return undefined
  if (!hasRole(c.actor, SALES_MANAGER_ROLE) && !isActor(c, (await personOf(c, owner)).person))
    throw problem.forbidden('This deal belongs to a colleague. Ask the colleague or a sales manager to enter the sale.')
  if (typeof seller === 'number' && seller !== owner)
    throw problem.invalid([violation('seller', 'The seller of a deal’s sale is the owner of the deal')])
  return owner
}

const isActor = ({ actor }: Context, person: number | null) => person !== null && person === authorOf(actor).userId

/** If the change assigns a lead to a sale, returns the company and the lead's source. */
async function leadOf(c: Context, before: Sale | undefined, changes: Values): Promise<Values> {
  if (typeof changes.contact !== 'number') return {}
  const lead = await c.get(contact, changes.contact)
  const company = changes.company || before?.company || lead?.companyName || lead?.name || ''
  return { company, cameFrom: lead?.cameFrom ?? null }
}

/** Route for the commission due, paid and clawed back, summed over the lines that the user has access to. */
const commissionTotalsRoute: Route = {
  method: 'GET',
  path: COMMISSION_TOTALS_URL,
  title: 'List commission by person and month, in pence: your own or, for sales managers, everybody’s',
  allow: SELLER_ROLE,
  handle: async ({ engine, me }) => {
    const own = hasRole(me, SALES_MANAGER_ROLE) ? {} : { person: String(me.userId) }
    const months = await engine.list(commissionMonth, me, { 'order[month]': 'desc' }, { limit: 120, offset: 0 })
    const figures = await engine.figures(me, [
      { name: 'lines', of: commissionLine, where: own, by: ['month', 'seller', 'kind', 'person'], sum: 'amount' },
    ])
    const sums: CommissionTotals = {
      '@id': COMMISSION_TOTALS_URL,
      months: months.members.map(({ '@id': iri, id, month, state }) => ({ '@id': iri, id, month, state })),
      sums: figures.map((f) => ({
        month: Number(f.by[0]),
        seller: Number(f.by[1]),
        kind: f.by[2] ?? '',
        mine: f.by[3] === String(me.userId),
        amount: f.sum,
        count: f.count,
      })),
    }
    return { ...sums }
  },
}

/** Checks manual adjustments. Nobody may adjust their own commission or add an adjustment to a locked month. */
const lineBehaviour = behaviour(commissionLine, {
  beforeSave: async (c) => {
    if ((c.values.kind ?? 'adjustment') !== 'adjustment') return undefined
    if (c.values.amount === 0) throw problem.invalid([violation('amount', 'Please enter an amount other than 0')])
    const { person } = await personOf(c, c.values.seller)
    if (isActor(c, person)) throw problem.forbidden('You cannot adjust your own commission. Ask another sales manager.')
    return { person, month: (await monthFor(c, c.values)).id }
  },
})

async function monthFor(c: Context, { month: chosen }: ValuesOf<typeof commissionLine>) {
  if (typeof chosen !== 'number') {
    const month = await lockOpenCommissionMonth(c, londonDate(c.now))
    await reopenApprovedMonth(c, month)
    return month
  }
  const month = await c
    .withoutPermissionCheck('the month record is locked while a line is added')
    .lock(commissionMonth, chosen)
  if (month.state === 'locked')
    throw problem.conflict(`${formatCommissionMonth(month.month)} is locked. Choose an open month.`)
  await reopenApprovedMonth(c, month)
  return month
}

const rateBehaviour = behaviour(commissionRate, {
  beforeSave: async (c) => {
    const { percent, seller } = c.values
    for (const one of [c.before?.seller, seller])
      if (isActor(c, (await personOf(c, one)).person))
        throw problem.forbidden('You cannot set your own commission. Ask another sales manager.')
    if (typeof percent === 'number' && Math.abs(percent * 10_000 - Math.round(percent * 10_000)) > 1e-6)
      throw problem.invalid([violation('percent', 'The percentage can have at most four decimal places')])
    return undefined
  },
})

const monthBehaviour = behaviour(commissionMonth, {
  actions: {
    reckon: async (c) => {
      for (const sale of await salesOf(c, c.row)) await recalculateCommission(c, sale)
      return {}
    },
    approve: async (c) => {
      mustBeOver(c, c.row)
      await mustBeChecked(c, c.row)
      return { set: { approvedBy: authorOf(c.actor).username, approvedAt: c.now.toString() } }
    },
    reopen: () => ({ set: { approvedBy: '', approvedAt: null } }),
    lock: async (c) => {
      mustBeOver(c, c.row)
      await mustBeChecked(c, c.row)
      return { set: { lockedBy: authorOf(c.actor).username, lockedAt: c.now.toString() } }
    },
  },
})

type Month = RowOf<typeof commissionMonth>

function mustBeOver(c: Context, { month }: Month): void {
  if (month >= firstDayOfCommissionMonth(londonDate(c.now)).toString())
    throw problem.conflict(`${formatCommissionMonth(month)} has not ended yet.`)
}

/** Throws 409 while a sale of the month has not been checked. */
async function mustBeChecked(c: Context, month: Month): Promise<void> {
  const waiting = (await salesOf(c, month)).filter((sale) => !sale.retired && sale.state === 'waiting').length
  if (waiting)
    throw problem.conflict(
      waiting === 1
        ? 'One sale in this month has not been checked yet.'
        : `${waiting} sales in this month have not been checked yet.`,
    )
}

/** Finds the sales in a month, including retired ones. */
async function salesOf(c: Context, { month }: Month) {
  const first = Temporal.PlainDate.from(month)
  const days = Array.from({ length: first.daysInMonth }, (_, n) => first.add({ days: n }).toString())
  return c.find(countedSale, { day: days })
}

const commissionBehaviours = [lineBehaviour, rateBehaviour, monthBehaviour]

export const commissionFeature = feature({
  resources: [commissionRate, commissionMonth, commissionLine],
  behaviours: [saleBehaviour, ...commissionBehaviours],
  evidence: [
    defineSavedEvidence({ of: commissionMonth, named: ({ month }) => `the commission of ${String(month)}` }),
    defineSavedEvidence({ of: commissionLine, named: ({ id }) => `commission line ${Number(id)}` }),
  ],
  routes: [commissionTotalsRoute],
})
