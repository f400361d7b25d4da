import { problem, violation } from '#kernel/errors.ts'
import type { Currency } from '#kernel/money.ts'
import type { RowOf } from '#kernel/resource.ts'
import { settleAll } from '#kernel/settle-all.ts'
import { formatIsoDateAsUk, londonDate } from '#kernel/time.ts'
import { behaviour } from '#server/engine/behaviour.ts'
import { feature } from '#server/engine/module.ts'
import { RecordNotAccessibleProblem } from '#server/engine/refusals.ts'
import type { Context } from '#server/engine/types.ts'
import { customer } from '../customers/customer.ts'
import type { LineVat } from '../lines/line-vat.ts'
import { withReadCache } from '../lines/lines.server.ts'
import { INVOICING_PACK } from '../rights.ts'
import { vatReturn } from '../vat/vat-return.ts'
import { accountantRoutes } from './accountants.server.ts'
import type { LedgerAccountName, LedgerTransactionKind } from './ledger.ts'
import { ledgerEntry, ledgerLock, ledgerTransaction } from './ledger.ts'
import { moneyEvidence } from './money-evidence.ts'
import { ledgerRoutes } from './reports.server.ts'

/** One side of a posting. Entries with a zero amount are left out. */
export interface LedgerEntryInput extends Partial<LineVat> {
  readonly account: LedgerAccountName
  /** Pence; debits are positive, credits negative. */
  readonly amount: number
  readonly product?: number | null
  /** Invoice ID. */
  readonly invoice?: number | null
}

interface LedgerPosting {
  readonly kind: LedgerTransactionKind
  /** Date of the posting, such as `2026-02-28`; defaults to today. */
  readonly day?: string
  readonly description: string
  readonly currency: Currency
  /** Customer ID; required if one of the entries is for trade debtors. */
  readonly customer: number | null
  /** Source record; unique together with the kind of transaction. */
  readonly source: { readonly type: string; readonly id: number }
  readonly reverses?: number
  readonly entries: readonly LedgerEntryInput[]
}

/**
 * Locks customers in ID order before money moves. Without these locks, payments for the same customer's invoices could
 * deadlock, because each payment references the customer before it updates the customer's balance.
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

/**
 * Locks a customer, like `lockCustomers`. Returns undefined if there is none; saving the reference then reports the
 * error.
 */
export async function lockBuyer(c: Context, id: number, why: string): Promise<RowOf<typeof customer> | undefined> {
  try {
    return (await lockCustomers(c, [id], why)).get(id)
  } catch (e) {
    if (e instanceof RecordNotAccessibleProblem) return undefined
    throw e
  }
}

const POSTING_REASON = 'post a transaction to the ledger'

/**
 * Posts a transaction, unless all its entries are zero. Locks the customer and updates the customer's balance. Throws
 * 409 for a date in a closed period, and an Error if the entries don't sum to zero, which is a bug in the caller.
 */
export const postTransaction = (c: Context, p: LedgerPosting): Promise<void> => postTransactions(c, [p])

/** Posts several transactions in one write. */
export async function postTransactions(c: Context, all: readonly LedgerPosting[]): Promise<void> {
  const right = c.withoutPermissionCheck(POSTING_REASON)
  const owed = new Map<number, number>()
  for (const { customer: id, entries } of all)
    if (id !== null) owed.set(id, (owed.get(id) ?? 0) + sumOf(entries.filter((e) => e.account === 'receivable')))
  const moving = [...owed].flatMap(([id, sum]) => (sum === 0 ? [] : [id]))
  const moved = [...(await lockCustomers(c, moving, POSTING_REASON)).values()].map((row) => ({
    row,
    values: { accountBalance: row.accountBalance + (owed.get(row.id) ?? 0) },
  }))
  await settleAll(right.setAll(customer, moved, 'post'), postAllCounted(c, all))
}

/**
 * Posts a transaction without updating the customer's balance. Used by the customer resource's behaviour, which saves
 * the balance.
 */
export const postTransactionWithoutBalanceUpdate = (c: Context, p: LedgerPosting): Promise<void> =>
  postAllCounted(c, [p])

async function postAllCounted(c: Context, all: readonly LedgerPosting[]): Promise<void> {
  const today = londonDate(c.now).toString()
  const posted = all.flatMap((p) => {
    const entries = p.entries.filter((e) => e.amount !== 0)
    if (sumOf(entries) !== 0) throw new Error(`The entries of ${p.source.type} ${p.source.id} don’t sum to zero`)
    return entries.length ? [{ ...p, entries, day: p.day ?? today }] : []
  })
  for (const day of new Set(posted.map((p) => p.day))) await rejectDayInClosedPeriod(c, day)
  await c.withoutPermissionCheck(POSTING_REASON).createAll(
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

const sumOf = (entries: readonly LedgerEntryInput[]) => entries.reduce((sum, e) => sum + e.amount, 0)

/** Returns the last permanently closed day, such as `2026-02-28`, or `undefined` if no period is closed. */
export const findLastLockedDay = async (c: Pick<Context, 'find'>): Promise<string | undefined> =>
  (await c.find(ledgerLock, {}))
    .map((l) => l.through)
    .toSorted()
    .at(-1)

/** Like `findLastLockedDay`, but including the period of a VAT return that HMRC has not confirmed yet. */
async function booksClosedThrough(c: Pick<Context, 'find'>): Promise<string | undefined> {
  const sent = await c.find(vatReturn, { state: 'sending' })
  return [await findLastLockedDay(c), ...sent.map((one) => one.to)]
    .filter((day) => day !== undefined)
    .toSorted()
    .at(-1)
}

export async function isDayInClosedPeriod(c: Context, day: string): Promise<boolean> {
  const through = await booksClosedThrough(withReadCache(c))
  return through !== undefined && day <= through
}

/**
 * Throws 409 for a date in a closed period. If a period is being closed at the same time, either the closing waits for
 * this transaction, or this transaction is rejected on commit.
 */
export async function rejectDayInClosedPeriod(c: Context, day: string): Promise<void> {
  const through = await booksClosedThrough(withReadCache(c))
  if (through !== undefined && day <= through)
    throw problem.conflict(
      `The books are closed up to and including ${formatIsoDateAsUk(through)}. Choose a later date.`,
    )
}

/** Returns the day itself or, if the books are closed on that day, the first day after the closed period. */
export async function firstOpenDay(c: Context, day: string): Promise<string> {
  const through = await booksClosedThrough(withReadCache(c))
  return through !== undefined && day <= through ? Temporal.PlainDate.from(through).add({ days: 1 }).toString() : day
}

/** A period can be closed once it has ended and is never reopened. Corrections are posted in the next period. */
const lockBehaviour = behaviour(ledgerLock, {
  beforeSave: async (c) => {
    const { through } = c.values
    if (!through) return undefined
    if (through >= londonDate(c.now).toString())
      throw problem.invalid([violation('through', 'You can close a period once its last day has ended')])
    const closed = await findLastLockedDay(c)
    if (closed !== undefined && through <= closed)
      throw problem.invalid([
        violation('through', `The books are already closed up to and including ${formatIsoDateAsUk(closed)}`),
      ])
    return undefined
  },
})

const ledgerBehaviours = [lockBehaviour]

export const ledger = feature({
  pack: INVOICING_PACK,
  resources: [ledgerTransaction, ledgerEntry, ledgerLock],
  behaviours: ledgerBehaviours,
  evidence: moneyEvidence,
  routes: [...ledgerRoutes, ...accountantRoutes],
  commands: [
    {
      name: 'ledger check',
      help: '  ledger check [--client 0]   check that all postings sum to zero and balances match their entries',
      load: async () => (await import('./command.server.ts')).runLedgerCommand,
    },
  ],
})
