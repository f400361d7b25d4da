import { problem } from '#kernel/errors.ts'
import type { TaxCode } from '#kernel/money/tax-codes.ts'
import type { Currency } from '#kernel/money.ts'
import { londonDate, ukDay } from '#kernel/time.ts'
import type { Context } from '#server/engine/context.ts'
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

const WHY = 'what happens to money is posted by what happens'

/**
 * Posts a movement of money; nothing where all of its entries are nil. Keeps the balance of the customer, who is locked for it. Throws 409
 * for a day of a period that is closed, and an Error for entries that don't come to nil: whoever calls it has added up wrong.
 */
export async function post(c: Context, p: Posting): Promise<void> {
  const owed = p.entries.reduce((sum, e) => sum + (e.account === 'receivable' ? e.amount : 0), 0)
  if (owed !== 0 && p.customer !== null) {
    const right = c.byRight(WHY)
    const row = await right.lock(customer, p.customer)
    await right.set(customer, row, { accountBalance: row.accountBalance + owed }, 'post')
  }
  await postCounted(c, p)
}

/** The same for a behaviour of the customer, which writes the new balance with the rest of its record. */
export async function postCounted(c: Context, p: Posting): Promise<void> {
  const entries = p.entries.filter((e) => e.amount !== 0)
  if (entries.reduce((sum, e) => sum + e.amount, 0) !== 0)
    throw new Error(`The entries of ${p.source.type} ${p.source.id} don’t come to nil`)
  if (!entries.length) return
  const day = p.day ?? londonDate(c.now).toString()
  await refuseClosed(c, day)
  await c.byRight(WHY).create(ledgerTransaction, {
    kind: p.kind,
    day,
    description: p.description,
    customer: p.customer,
    source: p.source.type,
    sourceId: p.source.id,
    reverses: p.reverses ?? null,
    entries: entries.map(({ invoice, ...e }) => ({
      ...e,
      day,
      currency: p.currency,
      customer: p.customer,
      invoiceId: invoice ?? null,
    })),
  })
}

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
