import { choice, date, decimal, flag, instant, integer, link, text } from '#kernel/fields.ts'
import type { RowOf } from '#kernel/resource.ts'
import { resource } from '#kernel/resource.ts'
import { only } from '#kernel/row-rules.ts'
import { product } from '#modules/billing/catalogue/plan.ts'
import { staff } from '#modules/crm/staff/staff.ts'
import { user } from '#modules/identity/people/user.ts'
import { countedSale, SALE_SOURCES } from '../counted/counted-sale.ts'
import { SALES_MANAGER_ROLE, SELLER_ROLE } from '../rights.ts'

/**
 * A commission month. It is created with its first line. Locked months never change; later corrections are added to a
 * later month.
 */
export const commissionMonth = resource({
  type: 'CommissionMonth',
  service: 'sales',
  path: 'commission_months',
  table: 'commission_month',
  tenant: 'own',
  title: 'month',
  order: ['-month'],
  state: 'state',
  fields: {
    /** First day of the month. */
    month: date({ required: true, filter: true, order: true }),
    state: choice(
      [
        { value: 'open', label: 'Open' },
        { value: 'approved', label: 'Approved' },
        { value: 'locked', label: 'Locked and paid' },
      ],
      { readonly: true, default: 'open', filter: true, order: true, label: 'Status' },
    ),
    approvedBy: text({ readonly: true, default: '', person: true }),
    approvedAt: instant({ readonly: true }),
    lockedBy: text({ readonly: true, default: '', person: true }),
    lockedAt: instant({ readonly: true }),
  },
  allow: { read: SELLER_ROLE },
  actions: {
    reckon: {
      path: 'reckon',
      title: 'Recalculate the month’s commission at the current rates',
      allow: SALES_MANAGER_ROLE,
      from: ['open'],
      input: {},
    },
    approve: {
      path: 'approve',
      title: 'Approve',
      allow: SALES_MANAGER_ROLE,
      from: ['open'],
      to: 'approved',
      input: {},
    },
    reopen: { path: 'reopen', title: 'Reopen', allow: SALES_MANAGER_ROLE, from: ['approved'], to: 'open', input: {} },
    lock: {
      path: 'lock',
      title: 'Lock the month',
      allow: SALES_MANAGER_ROLE,
      from: ['approved'],
      to: 'locked',
      input: {},
    },
  },
})

export const firstDayOfCommissionMonth = (day: Temporal.PlainDate): Temporal.PlainDate => day.with({ day: 1 })

/** Formats a month, for example `November 2026`. */
export const formatCommissionMonth = (month: string): string =>
  Temporal.PlainDate.from(month).toLocaleString('en-GB', { month: 'long', year: 'numeric' })

/**
 * Commission rate that applies from a date. If several rates match a sale, the most specific one applies; if they are
 * equally specific, the one that starts latest.
 */
export const commissionRate = resource({
  type: 'CommissionRate',
  service: 'sales',
  path: 'commission_rates',
  table: 'commission_rate',
  tenant: 'own',
  order: ['-from', '-id'],
  bulk: ['retire'],
  fields: {
    seller: link(() => staff, {
      filter: true,
      embed: ['username', 'name'],
      label: 'Seller',
      help: 'If empty, the rate applies to all sellers.',
    }),
    product: link(() => product, {
      filter: true,
      embed: ['name'],
      help: 'If empty, the rate applies to all products.',
    }),
    source: choice(SALE_SOURCES, { filter: true, label: 'Source', help: 'If empty, the rate applies to all sources.' }),
    percent: decimal({ required: 'Please enter the percentage', min: 0, max: 100, label: 'Percentage' }),
    from: date({
      required: 'Please enter the date from which the rate applies',
      column: 'first_day',
      order: true,
      filter: true,
      label: 'Applies from',
    }),
    author: text({ readonly: true, notNull: true, stamp: 'author' }),
    createdAt: instant({ readonly: true, notNull: true }),
    retired: flag({ filter: true }),
  },
  allow: { read: SALES_MANAGER_ROLE, create: SALES_MANAGER_ROLE, update: SALES_MANAGER_ROLE },
})

type Rate = Pick<RowOf<typeof commissionRate>, 'id' | 'seller' | 'product' | 'source' | 'percent' | 'from' | 'retired'>
type Sold = Pick<RowOf<typeof countedSale>, 'seller' | 'product' | 'source' | 'day'>

/**
 * Returns how specific a rate is. A rate for a seller outranks one for a product, which outranks one for a lead source.
 */
const weight = (r: Rate) => (r.seller === null ? 0 : 4) + (r.product === null ? 0 : 2) + (r.source === null ? 0 : 1)

/**
 * Finds the rate that applies to a sale on its day: the most specific one, then the one that starts latest, then the
 * one created latest.
 */
export function findCommissionRate<R extends Rate>(rates: readonly R[], sold: Sold): R | undefined {
  const fits = (r: R) =>
    !r.retired &&
    r.from <= sold.day &&
    (r.seller === null || r.seller === sold.seller) &&
    (r.product === null || r.product === sold.product) &&
    (r.source === null || r.source === sold.source)
  return rates
    .filter(fits)
    .sort((a, b) => weight(b) - weight(a) || (a.from < b.from ? 1 : a.from > b.from ? -1 : b.id - a.id))[0]
}

const PARTS_PER_UNIT = 1_000_000

/** Calculates the commission in pence from a percentage with up to four decimal places, rounding halves up. */
export const calculateCommission = (pence: number, percent: number): number => {
  const parts = BigInt(pence) * BigInt(Math.round(percent * 10_000))
  return Number((parts + BigInt(PARTS_PER_UNIT / 2)) / BigInt(PARTS_PER_UNIT))
}

/**
 * Commission line: earned, clawed back or adjusted. Lines can be added but not changed. Every line except an adjustment
 * refers to its sale.
 */
export const commissionLine = resource({
  type: 'CommissionLine',
  service: 'sales',
  path: 'commission_lines',
  table: 'commission_line',
  tenant: 'own',
  order: ['-id'],
  appendOnly: true,
  fields: {
    month: link(() => commissionMonth, { filter: true, embed: ['month', 'state'] }),
    seller: link(() => staff, { required: 'Please choose a seller', filter: true, embed: ['username', 'name'] }),
    person: link(() => user, { readonly: true, filter: true }),
    kind: choice(
      [
        { value: 'earned', label: 'Earned' },
        { value: 'clawback', label: 'Clawed back' },
        { value: 'adjustment', label: 'Adjustment' },
      ],
      { readonly: true, default: 'adjustment', filter: true, count: true },
    ),
    /** Amount in pence; negative for a clawback. */
    amount: integer({
      required: 'Please enter the amount',
      min: -100_000_000,
      max: 100_000_000,
      pence: true,
      order: true,
    }),
    sale: link(() => countedSale, { readonly: true, filter: true, embed: ['what', 'company', 'day', 'retired'] }),
    /** Amount of the sale in pence. `percent` is the rate applied to it. */
    base: integer({ readonly: true, pence: true, label: 'Sale amount' }),
    percent: decimal({ readonly: true, label: 'Percentage' }),
    rate: link(() => commissionRate, { readonly: true, hideUnreadable: true }),
    reason: text({ required: 'Please enter a reason', max: 1500, filter: 'partial' }),
    author: text({ readonly: true, notNull: true, stamp: 'author' }),
    createdAt: instant({ readonly: true, notNull: true, order: true, filter: true }),
  },
  allow: {
    read: SELLER_ROLE,
    create: SALES_MANAGER_ROLE,
    rows: [{ unless: SALES_MANAGER_ROLE, only: only.mine('person') }],
  },
})
