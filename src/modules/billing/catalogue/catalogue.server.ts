import { problem, type Violation, violation } from '#kernel/errors.ts'
import { idFromResourceIri } from '#kernel/iri.ts'
import type { TaxCode } from '#kernel/money/tax-codes.ts'
import { isVatCharged } from '#kernel/money/tax-codes.ts'
import { MoneyError, scaleDecimal } from '#kernel/money.ts'
import { iriOf, type RowOf, type ValuesOf } from '#kernel/resource.ts'
import { londonDate } from '#kernel/time.ts'
import { behaviour } from '#server/engine/behaviour.ts'
import type { ReferenceData } from '#server/engine/initial-data.ts'
import { feature } from '#server/engine/module.ts'
import type { Context } from '#server/engine/types.ts'
import { insertMissingRows } from '#server/seed/fill.ts'
import { INVOICING_PACK } from '../rights.ts'
import { recordStockCount } from '../stock/stock.server.ts'
import { coupon } from './coupon.ts'
import {
  billingApplication,
  exchangeRate,
  firstDayOfMonth,
  parseAppStatus,
  plan,
  price,
  product,
  sku,
  taxRate,
} from './plan.ts'

export const UK_VAT_RATES = [
  { name: 'Standard rate', code: 'standard', percent: 20, from: '2011-01-04' },
  { name: 'Reduced rate', code: 'reduced', percent: 5, from: '1997-09-01' },
  { name: 'Zero rate', code: 'zero', percent: 0, from: '1973-04-01' },
  { name: 'Exempt', code: 'exempt', percent: 0, from: '1973-04-01' },
  { name: 'Outside the scope of VAT', code: 'outside', percent: 0, from: '1973-04-01' },
  { name: 'Reverse charge', code: 'reverse', percent: 0, from: '1973-04-01' },
] as const satisfies readonly { name: string; code: TaxCode; percent: number; from: string }[]

/** Reference data: the UK VAT rates for the provider's catalogue. */
const taxReference: ReferenceData = {
  name: 'billing',
  needs: ['provider'],
  edition: 2,
  load: async (c) => {
    await insertMissingRows(c, taxRate, 'code', UK_VAT_RATES)
  },
}

const PRICED = ['amount', 'currency', 'interval', 'intervalCount', 'taxRate']

/**
 * Returns the next version number if an existing record's price has changed. A sale keeps the version that applied
 * on its date.
 */
const nextVersion = (before: { readonly version: number } | undefined, changes: object) =>
  before && PRICED.some((name) => name in changes) ? { version: before.version + 1 } : undefined

const isRepriced = (c: { readonly before: unknown; readonly changes: { readonly version?: number } }) =>
  !c.before || c.changes.version !== undefined

const keepPrice = (c: Context, values: ValuesOf<typeof price>) =>
  c.withoutPermissionCheck('save a new version of a price').create(price, { ...values, from: c.now.toString() })

const planBehaviour = behaviour(plan, {
  beforeSave: ({ before, changes, values }) => {
    assertExact('amount', values.amount)
    return nextVersion(before, changes)
  },
  afterSave: async (c) => {
    if (!isRepriced(c)) return
    const { id, version, amount, currency, interval, intervalCount, taxRate } = await c.written.saved()
    await keepPrice(c, { plan: id, version, amount, currency, interval, intervalCount, taxRate })
  },
})

const skuBehaviour = behaviour(sku, {
  beforeSave: ({ before, changes, values }) => {
    assertExact('amount', values.amount)
    assertExact('cost', values.cost)
    return nextVersion(before, changes)
  },
  afterSave: async (c) => {
    if (!isRepriced(c)) return
    const { id, version, amount, currency, taxRate } = await c.written.saved()
    await keepPrice(c, { sku: id, version, amount, currency, taxRate })
  },
  actions: {
    count: async (c) => {
      await recordStockCount(c, c.row, c.input)
      return { answer: () => c.engine.one(sku, c.actor, c.row.id) }
    },
  },
})

/** Throws 422 if a number has more than four decimal places, which is the precision of totals. */
function assertExact(field: string, value: unknown): void {
  if (typeof value !== 'number') return
  try {
    scaleDecimal(value, 'This')
  } catch (e) {
    if (e instanceof MoneyError) throw problem.invalid([violation(field, e.message)])
    throw e
  }
}

/** Documents with a VAT rate: issued invoices and sent quotes dated on or after the rate's first day. */
const RATE_IN_USE = `SELECT EXISTS (SELECT FROM invoice_line l JOIN invoice i ON i.client_id = l.client_id AND i.id = l.invoice_id
    WHERE l.client_id = $1 AND i.state <> 'draft' AND l.tax_code = $2 AND l.tax_percent = $3 AND i.tax_point >= coalesce($4::date, '-infinity'))
  OR EXISTS (SELECT FROM quote_line l JOIN quote q ON q.client_id = l.client_id AND q.id = l.quote_id
    WHERE l.client_id = $1 AND q.sent_at IS NOT NULL AND l.tax_code = $2 AND l.tax_percent = $3) AS used`

/** Throws 409 if the rate is on an issued invoice or a sent quote: it applied to them, so it can only be superseded. */
async function assertUnusedRate(c: Context, { code, percent, from, name }: RowOf<typeof taxRate>): Promise<void> {
  const [row] = await c.work.tx.rows<{ used: boolean }>(RATE_IN_USE, [c.clientId, code, percent, from])
  if (row?.used)
    throw problem.conflict(
      `“${name}” has been used on documents, so it can’t be changed. Create a new tax rate of the same type with its first day.`,
      'in_use',
    )
}

/** Throws 409 if an issued invoice of the month uses the exchange rate. */
async function assertUnusedExchangeRate(c: Context, { currency, month }: RowOf<typeof exchangeRate>): Promise<void> {
  const [row] = await c.work.tx.rows<{ number: string }>(
    `SELECT number FROM invoice WHERE client_id = $1 AND currency = $2 AND number <> '' AND exchange_rate IS NOT NULL
       AND date_trunc('month', tax_point) = $3::date LIMIT 1`,
    [c.clientId, currency, month],
  )
  if (row) throw problem.conflict(`${row.number} uses this rate, so it can’t be changed for this month.`, 'in_use')
}

/** Coupon fields that can't be changed once the coupon has been used. */
const TERMS = ['percentOff', 'amountOff', 'currency', 'duration', 'durationPeriods', 'plans'] as const

const couponBehaviour = behaviour(coupon, {
  beforeSave: async (c) => {
    const { before, changes, values } = c
    const wrong: Violation[] = []
    const percent = values.percentOff ?? null
    const amount = values.amountOff ?? null
    if ((percent === null) === (amount === null))
      wrong.push(violation('percentOff', 'Please enter either a percentage or an amount, not both'))
    if (percent === 0) wrong.push(violation('percentOff', 'Percent off must be more than 0'))
    if (values.duration === 'periods' && !values.durationPeriods)
      wrong.push(violation('durationPeriods', 'Please enter the number of periods'))
    if (before && before.timesRedeemed > 0) {
      const changed = TERMS.find((k) => k in changes)
      if (changed)
        wrong.push(
          violation(changed, 'This coupon has been used, so its terms can’t change. Create a new coupon instead.'),
        )
      if (typeof values.maxRedemptions === 'number' && values.maxRedemptions < before.timesRedeemed)
        wrong.push(violation('maxRedemptions', `This coupon has already been used ${before.timesRedeemed} times`))
    }
    if (wrong.length) throw problem.invalid(wrong)
    assertExact('percentOff', percent)
    return {
      ...(changes.plans ? { plans: await knownPlans(c, changes.plans) } : {}),
      ...(values.duration === 'periods' || values.durationPeriods == null ? {} : { durationPeriods: null }),
    }
  },
})

/** Normalises plan IRIs and removes duplicates; throws 400 for an unknown plan. */
async function knownPlans(c: Context, given: readonly string[]): Promise<string[]> {
  const ids = given.map((iri) => {
    const id = idFromResourceIri(plan, iri)
    if (id === undefined) throw problem.invalidIri(iri)
    return id
  })
  const found = new Set((await c.find(plan, { id: ids })).map((row) => row.id))
  const missing = ids.findIndex((id) => !found.has(id))
  if (missing >= 0) throw problem.unknownTarget(given[missing])
  return [...new Set(ids)].map((id) => iriOf(plan, id))
}

const catalogueBehaviours = [
  planBehaviour,
  skuBehaviour,
  behaviour(taxRate, {
    beforeSave: async (c) => {
      const { values } = c
      assertExact('percent', values.percent)
      if (values.code && !isVatCharged(values.code) && values.percent)
        throw problem.invalid([violation('percent', 'This type of VAT is not charged, so its percentage must be 0')])
      if (c.before && ['code', 'percent', 'from'].some((name) => name in c.changes)) await assertUnusedRate(c, c.before)
      return undefined
    },
  }),
  behaviour(exchangeRate, {
    beforeSave: async (c) => {
      const { before, changes, values } = c
      if (values.currency === 'GBP')
        throw problem.invalid([violation('currency', 'Choose a currency other than sterling')])
      if (values.source === 'hmrc' && (values.month ?? '') > londonDate(c.now).toString())
        throw problem.invalid([
          violation('month', 'HMRC’s rate is recorded for this month or an earlier one. This month has not begun'),
        ])
      if (before && ['currency', 'month', 'rate'].some((name) => name in changes))
        await assertUnusedExchangeRate(c, before)
      return changes.month ? { month: firstDayOfMonth(changes.month) } : undefined
    },
  }),
  couponBehaviour,
  behaviour(product, {
    beforeSave: ({ changes }) => {
      if (changes.appStatus === undefined) return undefined
      const appStatus = parseAppStatus(changes.appStatus)
      if (appStatus) return { appStatus }
      throw problem.invalid([
        violation('appStatus', 'Enter the application’s status as {"status": 1, "retired": false, "hasLapsed": false}'),
      ])
    },
  }),
]

export const catalogue = feature({
  pack: INVOICING_PACK,
  resources: [product, billingApplication, plan, sku, price, coupon, taxRate, exchangeRate],
  behaviours: catalogueBehaviours,
  referenceData: [taxReference],
  seeds: () => import('./demo.server.ts'),
})
