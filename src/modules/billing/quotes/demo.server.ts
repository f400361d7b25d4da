import type { RowOf, ValuesOf } from '#kernel/resource.ts'
import { PROVIDER_CLIENT_ID } from '#kernel/roles.ts'
import { lastMinuteOfDay, londonDate } from '#kernel/time.ts'
import { contact } from '#modules/crm/contacts/contact.ts'
import type { DemoDataPart } from '#server/engine/initial-data.ts'
import type { Context, Engine } from '#server/engine/types.ts'
import { seedAsUser } from '#server/seed/seed-as.ts'
import { coupon } from '../catalogue/coupon.ts'
import { plan, sku } from '../catalogue/plan.ts'
import { customer } from '../customers/customer.ts'
import { describeQuotePayments } from '../lines/payment-words.ts'
import type { QuoteState } from '../print/acceptance-state.ts'
import { addQuoteNoteToContact, updateQuoteLead } from './decide.server.ts'
import { quote, quoteStatusId } from './quote.ts'

/** IDs of the call results for a pitch and for a sent quote. */
const PITCHED = 5
const QUOTE_SENT = 6

interface Offer {
  readonly state: QuoteState
  /** Days from today on which the quote was sent (negative) and on which it expires. */
  readonly sent?: number
  readonly until?: number
  /** Positions of monthly plans and items in the catalogue. */
  readonly plans: readonly number[]
  readonly skus: readonly number[]
  readonly coupon?: string
  /** Discount of the plan lines, in per cent. */
  readonly discountPercent?: number
  readonly reason?: string
  /** Description and price in pence of a custom line. */
  readonly extra?: readonly [string, number]
}

const OFFERS: readonly Offer[] = [
  { state: 'draft', plans: [0], skus: [2], discountPercent: 12.5 },
  { state: 'draft', plans: [1, 3], skus: [], coupon: 'Welcome' },
  { state: 'open', sent: -2, until: 28, plans: [0, 2], skus: [0], coupon: 'Federation members' },
  { state: 'open', sent: -26, until: 4, plans: [1], skus: [1, 3] },
  { state: 'open', sent: -29, until: 1, plans: [4], skus: [], extra: ['Setting up accounts for 40 people', 12_000] },
  { state: 'accepted', sent: -12, until: 18, plans: [0], skus: [0, 2], coupon: 'Welcome' },
  { state: 'accepted', sent: -40, until: -10, plans: [3], skus: [5] },
  {
    state: 'declined',
    sent: -20,
    until: 10,
    plans: [0, 2, 4],
    skus: [],
    reason: 'Staying with our current consultant for another year.',
  },
  { state: 'expired', sent: -45, until: -15, plans: [2], skus: [4] },
  { state: 'cancelled', sent: -8, until: 22, plans: [1], skus: [], reason: 'Sent to the wrong branch.' },
]

/** Quotes accepted in earlier weeks: days since sending, and positions of plans and items in the catalogue. */
const ACCEPTED: readonly (readonly [ago: number, plans: readonly number[], skus: readonly number[]])[] = [
  [4, [1], [0]],
  [11, [2], [1, 4]],
  [13, [4], []],
  [19, [1, 2], [5]],
  [25, [3], []],
  [31, [2], []],
  [41, [0], []],
  [47, [3, 4], [2]],
  [52, [1], [4]],
]
const OFFERED: readonly Offer[] = [
  ...OFFERS,
  ...ACCEPTED.map(([ago, plans, skus]): Offer => ({ state: 'accepted', sent: -ago, until: 30 - ago, plans, skus })),
]

/** Quotes in every status, one for each of the first customers. No e-mails are sent in the demo. */
const demoQuotes: DemoDataPart = {
  name: 'quotes',
  needs: ['customers', 'payments'],
  tell: async (engine) => {
    const customers = await seedAsUser(engine, { clientId: PROVIDER_CLIENT_ID }, (c) => c.find(customer, {}))
    for (const [i, offer] of OFFERED.entries()) {
      const to = customers[i]
      if (to) await makeOffer(engine, to, offer)
    }
    await seedAsUser(engine, { clientId: PROVIDER_CLIENT_ID }, settleUnsent)
  },
}

/** Creates the quote as the customer's owner and advances the quote to its intended status. */
async function makeOffer(engine: Engine, to: RowOf<typeof customer>, offer: Offer): Promise<void> {
  const username = to.metadata?.owner ?? 'staff'
  const today = engine.clock.now()
  const day = (days: number) => today.add({ hours: 24 * days })
  const at = day(offer.sent ?? 0)
  const until =
    offer.until === undefined ? null : lastMinuteOfDay(londonDate(today).add({ days: offer.until })).toString()
  await seedAsUser(engine, { clientId: PROVIDER_CLIENT_ID, username, at }, async (c) => {
    const values = await wordsOf(c, offer)
    const made = await c.create(quote, {
      ...values,
      customer: to.id,
      ownedBy: username,
      expiresAt: until,
      createdAt: at.toString(),
    })
    if (offer.sent === undefined) return
    const row = await made.saved()
    await c.set(quote, row, { status: quoteStatusId('open'), sentAt: at.toString() }, 'send')
    await addQuoteNoteToContact(
      c,
      row,
      `Quote ${row.reference} (${describeQuotePayments(row)}) made live, with an e-mail to ${row.emailTo}.`,
    )
    const end = endOf(offer, to, day(offer.sent + 2).toString())
    if (offer.state !== 'open') await c.set(quote, row, end, offer.state)
    // A lead that has signed is removed from the call list.
    if (end.decidedAt && offer.state === 'accepted')
      await updateQuoteLead(c, row, { wonAt: end.decidedAt, callbackDate: null, expiry: null }, 'won')
  })
}

/** Resets leads with the result "quote sent" for whom no quote was sent. */
async function settleUnsent(c: Context): Promise<void> {
  const sent = new Set((await c.find(quote, {})).flatMap((q) => (q.sentAt === null ? [] : (q.contact ?? []))))
  for (const lead of await c.find(contact, { lastResult: QUOTE_SENT })) {
    if (sent.has(lead.id)) continue
    const set = lead.outcomes ? { lastResult: PITCHED } : { lastResult: null, callbackDate: null, expiry: null }
    await c.set(contact, lead, set, 'settle')
  }
}

async function wordsOf(
  c: Context,
  { plans, skus, extra, coupon: name, discountPercent: off }: Offer,
): Promise<ValuesOf<typeof quote>> {
  const monthly = await c.find(plan, { interval: 'month' })
  const items = await c.find(sku, {})
  const [terms] = name === undefined ? [] : await c.find(coupon, { name })
  const idAt = (list: readonly { readonly id: number }[], n: number) => list[n % list.length]?.id ?? null
  return {
    coupon: terms?.id ?? null,
    plans: plans.map((n) => ({ plan: idAt(monthly, n), discountPercent: off ?? null })),
    skus: skus.map((n) => ({ sku: idAt(items, n) })),
    additionalItems: extra ? [{ description: extra[0], unitAmount: extra[1] }] : [],
  }
}

function endOf({ state, reason = '' }: Offer, to: RowOf<typeof customer>, at: string): ValuesOf<typeof quote> {
  const status = quoteStatusId(state)
  const person = to.contactName ?? ''
  switch (state) {
    case 'accepted': {
      const given = { name: person, method: 'typed', strokes: [], width: 0, height: 0 } as const
      const signature = { ...given, at, address: '203.0.113.20', agent: '' }
      return { status, decidedAt: at, decidedBy: person, signature }
    }
    case 'declined':
      return { status, decidedAt: at, decidedBy: person, reason }
    case 'cancelled':
      return { status, decidedAt: at, reason }
    default:
      return { status }
  }
}

export const seeds = [demoQuotes]
