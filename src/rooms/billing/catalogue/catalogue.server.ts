import { problem, type Violation, violation } from '#kernel/errors.ts'
import { idByIri } from '#kernel/iri.ts'
import { MoneyError, scaled } from '#kernel/money.ts'
import { iriOf, type Resource } from '#kernel/resource.ts'
import { author } from '#kernel/roles.ts'
import { type Behaviour, behaviour, type Context } from '#server/behaviour.ts'
import { coupon } from './coupon.ts'
import { plan, price, sku } from './plan.ts'
import { taxRate } from './tax-rate.ts'

const PRICED = ['amount', 'currency', 'interval', 'intervalCount']

/** A new price is a new version; what was sold keeps the one it was sold at. */
const versioned = (r: typeof plan | typeof sku, link: 'plan' | 'sku'): Behaviour => ({
  prepare: ({ before, changes, values }) => {
    exact('amount', values.amount)
    const repriced = before && PRICED.some((k) => k in changes)
    return repriced ? { version: Number(before.version) + 1 } : undefined
  },
  saved: async ({ before, changes, written, work, actor }) => {
    if (before && !('version' in changes)) return
    await work.flush()
    const row = written.row()
    work.create(price, {
      [link]: row.id,
      version: row.version,
      ...Object.fromEntries(PRICED.filter((k) => k in r.fields).map((k) => [k, row[k]])),
      author: author(actor).username,
    })
  },
})

/** Throws for a number with more than four decimal places: sums hold no more. */
function exact(field: string, value: unknown): void {
  if (typeof value !== 'number') return
  try {
    scaled(value, 'This')
  } catch (e) {
    if (e instanceof MoneyError) throw problem.invalid([violation(field, e.message)])
    throw e
  }
}

/** What a coupon takes off can't change once somebody has been promised it. */
const TERMS = ['percentOff', 'amountOff', 'currency', 'duration', 'durationPeriods', 'plans'] as const

const couponBehaviour = behaviour(coupon, {
  prepare: async (c) => {
    const { before, changes, values } = c
    const wrong: Violation[] = []
    const percent = values.percentOff ?? null
    const amount = values.amountOff ?? null
    if ((percent === null) === (amount === null))
      wrong.push(violation('percentOff', 'Please enter either a percentage or an amount, not both'))
    if (percent === 0) wrong.push(violation('percentOff', 'Percent off must be more than 0'))
    if (values.duration === 'periods' && !values.durationPeriods)
      wrong.push(violation('durationPeriods', 'Please enter for how many periods'))
    if (before && Number(before.timesRedeemed) > 0) {
      const changed = TERMS.find((k) => k in changes)
      if (changed)
        wrong.push(
          violation(changed, 'This coupon has been used, so its terms stay as they are. Make a new coupon instead.'),
        )
      if (typeof values.maxRedemptions === 'number' && values.maxRedemptions < Number(before.timesRedeemed))
        wrong.push(
          violation('maxRedemptions', `This coupon has been used ${Number(before.timesRedeemed)} times already`),
        )
    }
    if (wrong.length) throw problem.invalid(wrong)
    exact('percentOff', percent)
    const plans = 'plans' in changes ? { plans: await known(c, plan, changes.plans) } : {}
    return {
      ...plans,
      ...(values.duration === 'periods' || values.durationPeriods == null ? {} : { durationPeriods: null }),
    }
  },
})

/** The IRIs as they are written everywhere, each once; throws 400 for one that leads nowhere. */
async function known({ work }: Context, r: Resource, given: unknown): Promise<string[]> {
  const list = Array.isArray(given) ? (given as string[]) : []
  const ids = list.map((iri) => {
    const id = idByIri(r, iri)
    if (id === undefined) throw problem.invalidIri(iri)
    return id
  })
  const rows = await work.tx.rows<{ id: number }>(`SELECT id FROM ${r.table} WHERE client_id = $1 AND id = ANY($2)`, [
    work.clientId,
    ids,
  ])
  const there = new Set(rows.map((row) => row.id))
  const missing = ids.findIndex((id) => !there.has(id))
  if (missing >= 0) throw problem.unknownTarget(list[missing])
  return [...new Set(ids)].map((id) => iriOf(r, id))
}

export const catalogueBehaviours = [
  behaviour(plan, versioned(plan, 'plan')),
  behaviour(sku, versioned(sku, 'sku')),
  behaviour(taxRate, {
    prepare: ({ values }) => {
      exact('percent', values.percent)
      return undefined
    },
  }),
  couponBehaviour,
]
