import { problem, violation } from '#kernel/errors.ts'
import type { RowOf, ValuesOf } from '#kernel/resource.ts'
import { author, hasRole } from '#kernel/roles.ts'
import { londonDate } from '#kernel/time.ts'
import { contact } from '#modules/crm/contacts/contact.ts'
import { ensureStaffId } from '#modules/crm/staff/staff.server.ts'
import { staff } from '#modules/crm/staff/staff.ts'
import { behaviour } from '#server/engine/behaviour.ts'
import type { Context } from '#server/engine/types.ts'
import { countedSale } from '../counted/counted-sale.ts'
import { loseRenewal, reopenRenewal, updateRenewals } from '../counted/renewal.server.ts'
import { SALES_MANAGER_ROLE } from '../rights.ts'
import { commissionMonth, monthOf, monthWords } from './month.ts'
import { recalculateCommission } from './settle.server.ts'

type Sale = RowOf<typeof countedSale>
type Values = ValuesOf<typeof countedSale>

/** Fields behind the figures and commission: changing one of them needs a new check. */
const COUNTED = ['day', 'seller', 'amount', 'currency', 'product'] as const

export const saleBehaviour = behaviour(countedSale, {
  beforeSave: async (c) => {
    const { before, changes, values } = c
    if (before) await mustBeOpen(c, before, changes)
    if (changes.seller === null) throw problem.invalid([violation('seller', 'Please choose the seller')])
    const byHand = (values.source ?? 'hand') === 'hand'
    if (changes.day && byHand) await mustBeADay(c, changes.day)
    const seller = before || !byHand ? values.seller : (values.seller ?? (await ensureStaffId(c)) ?? null)
    const sold = seller !== before?.seller || !before ? { seller: seller ?? null, ...(await personOf(c, seller)) } : {}
    return {
      ...sold,
      ...(await leadOf(c, before, changes)),
      ...(isCounted(changes) && before ? UNCHECKED : {}),
      ...(!before && values.renewsOn ? { renewal: 'open' as const } : {}),
    }
  },
  afterSave: async (c) => {
    const sold = await c.written.saved()
    await recalculateCommission(c, sold)
    await updateRenewals(c, sold)
  },
  actions: {
    check: (c) => {
      if (c.row.retired) throw problem.conflict('This sale is retired, so there is nothing to check.')
      const checker = author(c.actor)
      if (c.row.person !== null && c.row.person === checker.userId)
        throw problem.forbidden('You cannot check your own sale. Ask another sales manager.')
      return { set: { checkedBy: checker.username, checkedAt: c.now.toString() } }
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
      const set = { retired: false, reason: '', ...UNCHECKED }
      await recalculateCommission(c, { ...c.row, ...set })
      await updateRenewals(c, { ...c.row, ...set })
      return { set }
    },
    lose: ({ row, input }) => ({ set: loseRenewal(row, input.reason) }),
    hope: ({ row }) => ({ set: reopenRenewal(row) }),
  },
})

const UNCHECKED = { state: 'waiting', checkedBy: '', checkedAt: null } as const

const isCounted = (changes: Values) => COUNTED.some((name) => name in changes)

/** Throws 409 when a seller changes a checked sale. */
function mustNotBeChecked({ actor }: Pick<Context, 'actor'>, { state }: Pick<Sale, 'state'>): void {
  if (state === 'checked' && !hasRole(actor, SALES_MANAGER_ROLE))
    throw problem.conflict('This sale has been checked. Ask a sales manager to change it.')
}

/** Throws 409 for a change that a retired, checked or paid sale does not allow. */
async function mustBeOpen(c: Context, before: Sale, changes: Values): Promise<void> {
  if (before.retired) throw problem.conflict('This sale is retired. Restore it first.')
  if (!isCounted(changes)) return
  mustNotBeChecked(c, before)
  await mustNotBeLocked(c, before.day, 'Retire the sale instead: its commission is clawed back this month.')
}

/** Throws unless the day is in the past and in an open month. */
async function mustBeADay(c: Context, day: string): Promise<void> {
  if (day > londonDate(c.now).toString())
    throw problem.invalid([violation('day', 'The day of a sale cannot be in the future')])
  await mustNotBeLocked(c, day, 'Enter a day in an open month.')
}

async function mustNotBeLocked(c: Context, day: string, instead: string): Promise<void> {
  const month = monthOf(Temporal.PlainDate.from(day)).toString()
  if (await c.exists(commissionMonth, { month, state: 'locked' }))
    throw problem.conflict(`${monthWords(month)} is locked. ${instead}`)
}

const personOf = async (c: Context, seller: number | null | undefined) => ({
  person: typeof seller === 'number' ? ((await c.get(staff, seller))?.user ?? null) : null,
})

/** Company and source of the lead. */
async function leadOf(c: Context, before: Sale | undefined, changes: Values): Promise<Values> {
  if (typeof changes.contact !== 'number') return {}
  const lead = await c.get(contact, changes.contact)
  const company = changes.company || before?.company || lead?.companyName || lead?.name || ''
  return { company, cameFrom: lead?.cameFrom ?? null }
}
