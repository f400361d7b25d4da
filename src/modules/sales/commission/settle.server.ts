import type { RowOf } from '#kernel/resource.ts'
import { londonDate } from '#kernel/time.ts'
import { client } from '#modules/portal/clients/client.ts'
import type { Context } from '#server/engine/types.ts'
import type { countedSale } from '../counted/counted-sale.ts'
import {
  calculateCommission,
  commissionLine,
  commissionMonth,
  commissionRate,
  findCommissionRate,
  firstDayOfCommissionMonth,
} from './month.ts'

type Sale = Pick<
  RowOf<typeof countedSale>,
  'id' | 'day' | 'seller' | 'person' | 'amount' | 'currency' | 'source' | 'product' | 'what' | 'retired' | 'reason'
>
type Month = RowOf<typeof commissionMonth>

const SETTLEMENT_REASON = 'commission follows its sale'

/**
 * Returns the month to which lines for the given day are added: the day's own month or, if that is locked, the current
 * month. Locks the month's record, so that lines are added one after another and never to a month that is being locked.
 */
export async function lockOpenCommissionMonth(c: Context, day: Temporal.PlainDate): Promise<Month> {
  const own = await holdMonth(c, firstDayOfCommissionMonth(day))
  return own.state === 'locked' ? holdMonth(c, firstDayOfCommissionMonth(londonDate(c.now))) : own
}

const holdMonth = async (c: Context, month: Temporal.PlainDate): Promise<Month> => {
  const { id } = await monthAt(c, month)
  return c.withoutPermissionCheck(SETTLEMENT_REASON).lock(commissionMonth, id)
}

/** Finds a month's record or creates it. Concurrent requests create only one record. */
async function monthAt(c: Context, month: Temporal.PlainDate): Promise<Month> {
  const right = c.withoutPermissionCheck(SETTLEMENT_REASON)
  const find = async () => (await right.find(commissionMonth, { month: month.toString() }))[0]
  const known = await find()
  if (known) return known
  await right.lock(client, c.clientId)
  return (await find()) ?? (await (await right.create(commissionMonth, { month: month.toString() })).saved())
}

/**
 * Locks the months of some days, so that none of them is approved or locked before a sale of these days is saved.
 * Approved months are open again, because they now have a sale that has not been checked.
 */
export async function holdMonthsOfSale(c: Context, days: readonly string[]): Promise<void> {
  const months = days.map((day) => firstDayOfCommissionMonth(Temporal.PlainDate.from(day)).toString())
  const held = await c.withoutPermissionCheck(SETTLEMENT_REASON).lockAll(commissionMonth, { month: months })
  for (const month of held) await reopenApprovedMonth(c, month)
}

/**
 * Sets an approved month back to open. Called when a line or an unchecked sale is added, because the month must then be
 * approved again.
 */
export async function reopenApprovedMonth(c: Context, { id, state }: Month): Promise<void> {
  if (state !== 'approved') return
  const right = c.withoutPermissionCheck(SETTLEMENT_REASON)
  const row = await right.lock(commissionMonth, id)
  if (row.state === 'approved')
    await right.set(commissionMonth, row, { state: 'open', approvedBy: '', approvedAt: null }, 'reopen')
}

/**
 * Adds commission or clawback lines until a sale's lines match the commission due. Lines are added to the sale's month
 * or, if that is locked, to the current month.
 */
export async function recalculateCommission(c: Context, sale: Sale): Promise<void> {
  const right = c.withoutPermissionCheck(SETTLEMENT_REASON)
  const rate = findCommissionRate(await right.find(commissionRate, { retired: false }), sale)
  const earns = !sale.retired && sale.currency === 'GBP' && sale.seller !== null && rate !== undefined
  const due = earns ? calculateCommission(sale.amount, rate.percent) : 0
  if (due === 0 && !(await right.exists(commissionLine, { sale: sale.id }))) return
  const month = await lockOpenCommissionMonth(c, Temporal.PlainDate.from(sale.day))
  const lines = await right.find(commissionLine, { sale: sale.id })
  const sellers = new Map(lines.map((line) => [line.seller, line.person]))
  if (earns && sale.seller !== null) sellers.set(sale.seller, sale.person)
  for (const [seller, person] of sellers) {
    const had = lines.reduce((sum, line) => (line.seller === seller ? sum + line.amount : sum), 0)
    const amount = (seller === sale.seller ? due : 0) - had
    if (amount === 0) continue
    await reopenApprovedMonth(c, month)
    await right.create(commissionLine, {
      month: month.id,
      seller,
      person,
      kind: amount > 0 ? 'earned' : 'clawback',
      amount,
      sale: sale.id,
      base: sale.amount,
      ...(rate ? { percent: rate.percent, rate: rate.id } : {}),
      reason: reasonOf(sale, amount, lines.length > 0),
    })
  }
}

const reasonOf = ({ what, retired, reason }: Sale, amount: number, again: boolean): string => {
  if (retired) return `${what} was retired: ${reason}`
  if (!again) return what
  return amount > 0 ? `${what}, recalculated` : `${what} changed`
}
