import { iriOf, type ValuesOf } from '#kernel/resource.ts'
import { PROVIDER_CLIENT_ID } from '#kernel/roles.ts'
import type { DemoDataPart } from '#server/engine/initial-data.ts'
import type { Context } from '#server/engine/types.ts'
import { seedAsUser } from '#server/seed/seed-as.ts'
import { coupon } from './coupon.ts'
import { billingApplication, plan, product, sku, taxRate } from './plan.ts'

/**
 * Product name, pack, description and plans. Each plan has a name, a price in pence and a monthly or yearly interval.
 */
const PRODUCTS: readonly [string, string, string, readonly [string, number, 'month' | 'year'][]][] = [
  [
    'Health & Safety',
    'sfp',
    'Risk assessments, method statements, COSHH and the accident book',
    [
      ['Health & Safety, monthly', 6900, 'month'],
      ['Health & Safety, yearly', 74_500, 'year'],
    ],
  ],
  [
    'Employment',
    'ffe',
    'Contracts, handbooks, right to work and absence',
    [
      ['Employment, monthly', 5900, 'month'],
      ['Employment, yearly', 63_700, 'year'],
    ],
  ],
  [
    'Fleet',
    'ffp',
    'Vehicles, drivers, checks and licences',
    [
      ['Fleet, monthly', 3900, 'month'],
      ['Fleet, yearly', 42_100, 'year'],
    ],
  ],
  [
    'Contractors',
    'ffc',
    'Questionnaires, insurance and approval of contractors',
    [
      ['Contractors, monthly', 2900, 'month'],
      ['Contractors, yearly', 31_300, 'year'],
    ],
  ],
  [
    'e-Learning',
    'elearning',
    'Courses with certificates, for up to 25 people',
    [
      ['e-Learning, monthly', 1900, 'month'],
      ['e-Learning, yearly', 20_500, 'year'],
    ],
  ],
]

/** Name, code, unit and price in pence. */
const SKUS: readonly [string, string, string, number][] = [
  ['Site visit by a consultant', 'VISIT', 'visit', 49_500],
  ['Half day of training', 'TRAIN', 'half day', 38_000],
  ['Printed safety folder', 'FOLDER', 'folder', 4500],
  ['First aid poster', 'POSTER', 'poster', 850],
  ['Consultant’s mileage', 'MILE', 'mile', 45.5],
  ['Fire risk assessment', 'FIRE', 'building', 32_500],
]

/** Coupons, including used-up and expired ones. `days` is the number of days until expiry. */
const COUPONS: readonly (ValuesOf<typeof coupon> & { readonly days?: number })[] = [
  { name: 'Welcome', percentOff: 10, duration: 'once' },
  {
    name: 'Three months at half price',
    percentOff: 50,
    duration: 'periods',
    durationPeriods: 3,
    maxRedemptions: 200,
    days: 90,
  },
  { name: 'Federation members', percentOff: 12.5, duration: 'forever' },
  { name: '£50 off', amountOff: 5000, duration: 'once', days: 180 },
  { name: 'Spring show', percentOff: 20, duration: 'once', maxRedemptions: 50, timesRedeemed: 12, days: -45 },
  { name: 'First ten customers', percentOff: 25, duration: 'forever', maxRedemptions: 10, timesRedeemed: 10 },
]

const BEGUN_DAYS = 400
/** Days since the last price rise. Before the rise, plans were ten per cent cheaper. */
const RAISED_DAYS = 80

/** Catalogue of the demo provider, with earlier prices and coupons. */
const cataloguePart: DemoDataPart = {
  name: 'catalogue',
  needs: ['people'],
  tell: async (engine) => {
    const manager = (days = 0) => {
      const at = engine.clock.now().subtract({ hours: 24 * days })
      return { clientId: PROVIDER_CLIENT_ID, username: 'manager', at }
    }
    await seedAsUser(engine, manager(BEGUN_DAYS), addProducts)
    await seedAsUser(engine, manager(RAISED_DAYS), raisePrices)
    await seedAsUser(engine, manager(), async (c) => {
      await c.create(product, {
        name: 'Environment',
        description: 'Waste, spills and permits; in preparation',
        livemode: false,
      })
      const tax = await standardRate(c)
      for (const [name, code, unit, amount] of SKUS) await c.create(sku, { name, code, unit, amount, taxRate: tax })
      await addCoupons(c)
    })
  },
}

const standardRate = async (c: Context): Promise<number | null> =>
  (await c.find(taxRate, { percent: 20 }))[0]?.id ?? null

async function addProducts(c: Context): Promise<void> {
  const tax = await standardRate(c)
  const created = Math.floor(c.now.epochMilliseconds / 1000)
  for (const [name, code, description, plans] of PRODUCTS) {
    const made = await c.create(product, { name, description, prodLegend: `${name} pack`, created })
    const { id } = await made.saved()
    await c.create(billingApplication, { name, code, product: id })
    for (const [words, amount, interval] of plans)
      await c.create(plan, {
        product: id,
        name: words,
        amount: Math.round(amount * 0.9),
        interval,
        taxRate: tax,
      })
  }
}

async function raisePrices(c: Context): Promise<void> {
  const prices = new Map(PRODUCTS.flatMap(([, , , plans]) => plans.map(([name, amount]) => [name, amount])))
  for (const one of await c.find(plan, {})) await c.change(plan, one.id, { amount: prices.get(one.name) ?? one.amount })
}

async function addCoupons(c: Context): Promise<void> {
  for (const { days, ...terms } of COUPONS)
    await c.create(coupon, {
      ...terms,
      ...(days === undefined ? {} : { expiresAt: c.now.add({ hours: 24 * days }).toString() }),
    })
  const yearly = await c.find(plan, { interval: 'year' })
  await c.create(coupon, {
    name: 'Yearly plans only',
    percentOff: 5,
    duration: 'forever',
    plans: yearly.map((one) => iriOf(plan, one.id)),
  })
}

export const seeds = [cataloguePart]
