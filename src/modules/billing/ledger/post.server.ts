import { problem } from '#kernel/errors.ts'
import type { TaxCode } from '#kernel/money/tax-codes.ts'
import type { Currency } from '#kernel/money.ts'
import type { RowOf } from '#kernel/resource.ts'
import { settleAll } from '#kernel/settle-all.ts'
import { londonDate, ukDay } from '#kernel/time.ts'
import type { Context } from '#server/engine/types.ts'
import { customer } from '../customers/customer.ts'
import { once } from '../lines/once.server.ts'
import type { AccountName, TransactionKind } from './accounts.ts'
import { ledgerLock, ledgerTransaction } from './ledger.ts'

/** One side of what is posted. Those of nil are left out. */
export interface Entry {
  readonly account: AccountName
  /** Pence: a debit above nil, a credit below it. */
  readonly amount: number
  readonly product?: number | null
  readonly taxCode?: TaxCode | null
  readonly taxPercent?: number | null
  /** The id of an invoice. */
  readonly invoice?: number | null
}

export interface Posting {
  readonly kind: TransactionKind
  /** `2026-02-28`; today unless said. */
  readonly day?: string
  readonly description: string
  readonly currency: Currency
  /** The id of whose money it is; who has a receivable entry must be known. */
  readonly customer: number | null
  /** What it comes from: with the kind, it is posted once. */
  readonly source: { readonly type: string; readonly id: number }
  readonly reverses?: number
  readonly entries: readonly Entry[]
}

/**
 * Customers whose money is about to move, locked in the order of their ids, as everybody locks them. Payments of two invoices of one customer
 * have each referred to it before they come to its balance.
 */
export async function lockCustomers(
  c: Context,
  ids: Iterable<number>,
  why: string,
): Promise<Map<number, RowOf<typeof customer>>> {
  const right = c.withoutPermissionCheck(why)
  const locked = new Map<number, RowOf<typeof customer>>()
  for (const id of [...new Set(ids)].toSorted((a, b) => a - b)) locked.set(id, await right.lock(customer, id, 'values'))
  return locked
}

const WHY = 'what happens to money is posted by what happens'

/**
 * Posts a movement of money; nothing where all of its entries are nil. Keeps the balance of the customer, who is locked for it. Throws 409
 * for a day of a period that is closed, and an Error for entries that don't come to nil: whoever calls it has added up wrong.
 */
export const post = (c: Context, p: Posting): Promise<void> => postAll(c, [p])

/** The same for several, written at once. */
export async function postAll(c: Context, all: readonly Posting[]): Promise<void> {
  const right = c.withoutPermissionCheck(WHY)
  const owed = new Map<number, number>()
  for (const { customer: id, entries } of all)
    if (id !== null) owed.set(id, (owed.get(id) ?? 0) + sumOf(entries.filter((e) => e.account === 'receivable')))
  const moving = [...owed].flatMap(([id, sum]) => (sum === 0 ? [] : [id]))
  const moved = [...(await lockCustomers(c, moving, WHY)).values()].map((row) => ({
    row,
    values: { accountBalance: row.accountBalance + (owed.get(row.id) ?? 0) },
  }))
  await settleAll(right.setAll(customer, moved, 'post'), postAllCounted(c, all))
}

/** One for a behaviour of the customer, which writes the new balance with the rest of its record. */
export const postCounted = (c: Context, p: Posting): Promise<void> => postAllCounted(c, [p])

async function postAllCounted(c: Context, all: readonly Posting[]): Promise<void> {
  const today = londonDate(c.now).toString()
  const posted = all.flatMap((p) => {
    const entries = p.entries.filter((e) => e.amount !== 0)
    if (sumOf(entries) !== 0) throw new Error(`The entries of ${p.source.type} ${p.source.id} don’t come to nil`)
    return entries.length ? [{ ...p, entries, day: p.day ?? today }] : []
  })
  for (const day of new Set(posted.map((p) => p.day))) await refuseClosed(c, day)
  await c.withoutPermissionCheck(WHY).createAll(
    ledgerTransaction,
    posted.map(({ kind, day, description, customer: whose, source, reverses, currency, entries }) => ({
      kind,
      day,
      description,
      customer: whose,
      source: source.type,
      sourceId: source.id,
      reverses: reverses ?? null,
      entries: entries.map(({ invoice, ...e }) => ({
        ...e,
        day,
        currency,
        customer: whose,
        invoiceId: invoice ?? null,
      })),
    })),
  )
}

const sumOf = (entries: readonly Entry[]) => entries.reduce((sum, e) => sum + e.amount, 0)

/** The last day that is closed, `2026-02-28`; `undefined` while none is. */
export async function closedThrough(c: Pick<Context, 'find'>): Promise<string | undefined> {
  const locks = await c.find(ledgerLock, {})
  return locks
    .map((l) => l.through)
    .toSorted()
    .at(-1)
}

/** Are the books closed for a day? */
export async function isClosed(c: Context, day: string): Promise<boolean> {
  const through = await closedThrough(once(c))
  return through !== undefined && day <= through
}

/** Throws 409 for a day of books that are closed. Whoever closes them just now waits for this transaction, or it is refused as it ends. */
export async function refuseClosed(c: Context, day: string): Promise<void> {
  const through = await closedThrough(once(c))
  if (through !== undefined && day <= through)
    throw problem.conflict(`The books are closed through ${ukDay(through)}. Choose a later day.`)
}
