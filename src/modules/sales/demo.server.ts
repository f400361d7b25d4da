import { PROVIDER_CLIENT_ID } from '#kernel/roles.ts'
import { londonDate } from '#kernel/time.ts'
import { quote } from '#modules/billing/quotes/quote.ts'
import { contact } from '#modules/crm/contacts/contact.ts'
import { leadSource } from '#modules/crm/contacts/import-batch.ts'
import { staff } from '#modules/crm/staff/staff.ts'
import type { DemoDataPart } from '#server/engine/initial-data.ts'
import type { Context, Engine } from '#server/engine/types.ts'
import { seedAsUser } from '#server/seed/seed-as.ts'
import { commissionMonth, commissionRate } from './commission/month.ts'
import { countedSale } from './counted/counted-sale.ts'
import { countAcceptedQuoteAsSale } from './counted/routes.server.ts'
import { sourceCost } from './figures/reports.ts'
import { marketingConsent } from './marketing/consent.ts'
import { dailyEmail } from './marketing/daily.ts'

const CONSENTS = 40

/** Seeds marketing consents, a scheduled daily e-mail and a draft. */
async function seedMarketing(engine: Engine): Promise<void> {
  const today = londonDate(engine.clock.now())
  await seedAsUser(engine, { clientId: PROVIDER_CLIENT_ID, username: 'manager' }, async (c) => {
    const seen = new Set<string>()
    for (const { id, email } of await c.find(contact, { retired: false })) {
      const address = email?.trim().toLowerCase() ?? ''
      if (!address.includes('@') || seen.has(address)) continue
      seen.add(address)
      const givenOn = today.subtract({ days: 20 + seen.size }).toString()
      const evidence = '“Yes, please e-mail me your news.” The call is in the lead’s timeline.'
      await c.create(marketingConsent, { address, contact: id, how: 'telephone', givenOn, evidence })
      if (seen.size >= CONSENTS) break
    }
    const planned = await c.create(dailyEmail, {
      day: today.add({ days: 7 }).toString(),
      subject: 'ISO 45001 in ten minutes',
      body: 'Hello {{first name|there}},\n\nWhat an auditor asks first, and where your risk assessments already answer it.\n\nYour team at {{portal}}',
    })
    const { id } = await planned.saved()
    await c.act(dailyEmail, 'plan', id, {})
    await c.create(dailyEmail, {
      day: today.add({ days: 8 }).toString(),
      subject: 'ISO 9001: what has changed',
      body: 'Hello {{first name|there}},\n\nThe changes that matter to firms with fewer than fifty people.\n\nYour team at {{portal}}',
    })
  })
}

const PER_CENT = 8

/**
 * Yearly sales without a quote: days since the sale, pence, and days until renewal or the reason why the customer
 * didn't renew.
 */
const BY_THE_YEAR: readonly (readonly [ago: number, pence: number, then?: number | string])[] = [
  [410, 96_000, 350],
  [395, 48_000, 'Now has their own consultant.'],
  [372, 72_000, 361],
  [352, 120_000],
  [330, 54_000],
  [318, 88_000],
  [290, 64_000],
  [230, 99_000],
]
const WHAT = 'Safety pack, yearly'

async function sellByTheYear(c: Context): Promise<void> {
  const today = londonDate(c.now)
  const sellers = await c.find(staff, { tray: false, retired: false })
  const leads = (await c.find(contact, { retired: false })).filter((lead) => lead.cameFrom !== null)
  const right = c.withoutPermissionCheck('sales from before the portal')
  for (const [n, [ago, amount, then]] of BY_THE_YEAR.entries()) {
    const [seller, lead] = [sellers[n % sellers.length], leads[n * 7]]
    if (!seller || !lead) continue
    const sell = async (day: Temporal.PlainDate) =>
      (
        await right.create(countedSale, {
          day: day.toString(),
          seller: seller.id,
          amount,
          what: WHAT,
          contact: lead.id,
          renewsOn: day.add({ years: 1 }).toString(),
        })
      ).saved()
    const day = today.subtract({ days: ago })
    const { id } = await sell(day)
    if (typeof then === 'number') await sell(day.add({ days: then }))
    if (typeof then === 'string') await right.act(countedSale, 'lose', id, { reason: then })
  }
}

/** Cost by lead source: description, and pence per month. */
const COSTS: Readonly<Record<string, readonly [what: string, pence: number]>> = {
  Website: ['Search advertisements', 42_000],
  'Social media': ['Advertisements', 18_000],
  'Cold list': ['Purchased address list', 9600],
}
const MONTHS = 6

async function payForSources(c: Context): Promise<void> {
  const today = londonDate(c.now)
  for (const { id, name } of await c.find(leadSource, { retired: false })) {
    const [what, amount] = COSTS[name] ?? []
    if (!what || !amount) continue
    for (let ago = 0; ago < MONTHS; ago++) {
      const day = today.subtract({ months: ago }).with({ day: 1 }).toString()
      await c.create(sourceCost, { cameFrom: id, day, amount, what })
    }
  }
}

/** Checks the sales of the oldest open month, then approves and locks the month. Locking marks it as paid. */
async function lockFirstMonth(c: Context): Promise<void> {
  const [month] = (await c.find(commissionMonth, { state: 'open' })).toSorted((a, b) => a.month.localeCompare(b.month))
  if (!month) return
  const sales = (await c.find(countedSale, { state: 'waiting', retired: false })).filter((sale) =>
    sale.day.startsWith(month.month.slice(0, 7)),
  )
  for (const { id, version } of sales) await c.act(countedSale, 'check', id, { version })
  await c.act(commissionMonth, 'approve', month.id, {})
  await c.act(commissionMonth, 'lock', month.id, {})
}

/** Seeds sales and their commission from accepted quotes. */
const salesPart: DemoDataPart = {
  name: 'sales',
  needs: ['quotes'],
  tell: async (engine) => {
    const from = londonDate(engine.clock.now()).subtract({ years: 1 }).toString()
    await seedAsUser(engine, { clientId: PROVIDER_CLIENT_ID, username: 'manager' }, (c) =>
      c.create(commissionRate, { percent: PER_CENT, from }),
    )
    const accepted = await seedAsUser(engine, { clientId: PROVIDER_CLIENT_ID }, (c) =>
      c.find(quote, { state: 'accepted' }),
    )
    for (const { id, decidedAt } of accepted) {
      if (decidedAt === null) continue
      await seedAsUser(engine, { clientId: PROVIDER_CLIENT_ID, at: Temporal.Instant.from(decidedAt) }, async (c) =>
        countAcceptedQuoteAsSale(c, await c.lock(quote, id), decidedAt),
      )
    }
    await seedAsUser(engine, { clientId: PROVIDER_CLIENT_ID }, (c) => sellByTheYear(c))
    await seedAsUser(engine, { clientId: PROVIDER_CLIENT_ID, username: 'manager' }, (c) => lockFirstMonth(c))
    await seedAsUser(engine, { clientId: PROVIDER_CLIENT_ID, username: 'manager' }, (c) => payForSources(c))
    await seedMarketing(engine)
  },
}

export const seeds = [salesPart]
