import { problem, violation } from '#kernel/errors.ts'
import { formatMoney } from '#kernel/money.ts'
import { bearerActor } from '#kernel/roles.ts'
import { readSignature, type SignatureGiven, signatureProblems } from '#kernel/signature.ts'
import { textOf } from '#kernel/text.ts'
import { type Instant, ukDate } from '#kernel/time.ts'
import { note } from '#rooms/crm/contacts/note.ts'
import type { Context, RequestFacts } from '#server/behaviour.ts'
import { hold } from '#server/data/held.ts'
import type { Row, Sent } from '#server/data/plan.ts'
import type { Engine } from '#server/engine.ts'
import { coupon } from '../catalogue/coupon.ts'
import type { CouponTerms } from '../catalogue/coupon-rules.ts'
import { couponTerms } from '../catalogue/redeem.server.ts'
import { followLink } from '../letters/link.server.ts'
import { type PaperSource, paperOf } from '../paper/paper.ts'
import { stateOf } from '../paper/state.ts'
import { type QuoteAccepted, quoteAccepted, quoteDeclined } from '../quotes/events.ts'
import { isOwnCoupon } from '../quotes/facts.server.ts'
import { quote } from '../quotes/quote.ts'
import { statusOf } from '../quotes/status.ts'
import type { Acceptance } from './acceptance.ts'

/** The bearer of a quote's link: the trail says that it was the link, and the link opens this quote alone. */
const linkHolder = (clientId: number, quoteId: number) =>
  bearerActor(clientId, { username: 'customer', name: 'The customer, by the link' }, [
    { type: quote.type, id: quoteId, verbs: ['read', 'accept', 'decline'] },
  ])

/** The sent revision that a link leads to, as its holder sees it. */
export const acceptanceOf = async (engine: Engine, token: string): Promise<Acceptance> =>
  shown(engine, token, await quoteBehind(engine, token))

/** The quote itself. */
export async function quoteBehind(engine: Engine, token: string): Promise<Sent> {
  const { clientId, quoteId } = await followLink(engine, token)
  return engine.one(quote, linkHolder(clientId, quoteId), quoteId)
}

function shown(engine: Engine, token: string, q: Sent): Acceptance {
  const state = stateOf(q, engine.clock.now())
  return {
    '@id': `/api/financial/acceptances/${token}`,
    '@type': 'Acceptance',
    provider: engine.config.provider,
    paper: paperOf(q as unknown as PaperSource, q.couponTerms as CouponTerms | null),
    state,
    decidedAt: q.decidedAt as string | null,
    decidedBy: String(q.decidedBy),
    sentence: sentence(state, q),
  }
}

function sentence(state: Acceptance['state'], q: Sent): string {
  const on = (at: unknown) => (typeof at === 'string' ? ` on ${ukDate(Temporal.Instant.from(at))}` : '')
  switch (state) {
    case 'open':
      return ''
    case 'accepted':
      return `${textOf(q.decidedBy)} accepted and signed this quote${on(q.decidedAt)}. There is nothing left to do.`
    case 'declined':
      return `This quote was declined${on(q.decidedAt)}. If you have thought again, please ask us for a new one.`
    case 'expired':
      return `This quote was valid until${on(q.expiresAt).replace(' on', '')} and can't be accepted any more. Please ask us for a new one.`
    case 'replaced':
      return 'A newer version has replaced this quote. Please open the newest e-mail from us, or ask us to send it again.'
    case 'cancelled':
      return 'This quote has been withdrawn. Please ask us if you expected otherwise.'
  }
}

/** Accepts by signature. Once: a second click, or the same request again, gives the first answer. */
export async function accept(engine: Engine, token: string, body: Sent, request: RequestFacts): Promise<Acceptance> {
  const given = readSignature(body.signature)
  if (!given) throw problem.invalid([violation('signature', 'Please sign, or type your name')])
  const wrong = signatureProblems(given)
  if (wrong.length) throw problem.invalid(wrong.map((v) => ({ ...v, propertyPath: `signature.${v.propertyPath}` })))
  return decide(engine, token, request, 'accepted', async (c, row) => {
    const terms = await redeemed(c, row)
    const at = c.now.toString()
    c.work.update(
      quote,
      row,
      { status: statusOf('accepted'), decidedAt: at, decidedBy: given.name, signature: signed(given, c.now, request) },
      'accept',
    )
    const kept =
      terms === 'used up' ? ' Its coupon had been used up in the meantime; the price of the quote was kept.' : ''
    tellContact(
      c,
      row,
      `The customer accepted quote ${textOf(row.reference)} (${priced(row)}), signed by ${given.name}.${kept}`,
    )
    await c.after(quoteAccepted, eventOf(row, at))
  })
}

/** Declines, with the reason if there is one. */
export async function decline(engine: Engine, token: string, body: Sent, request: RequestFacts): Promise<Acceptance> {
  const reason = typeof body.reason === 'string' ? body.reason.trim() : ''
  const name = typeof body.name === 'string' ? body.name.trim() : ''
  if (reason.length > 1000) throw problem.invalid([violation('reason', 'Reason can have at most 1,000 characters')])
  if (name.length > 255) throw problem.invalid([violation('name', 'Name can have at most 255 characters')])
  return decide(engine, token, request, 'declined', async (c, row) => {
    c.work.update(
      quote,
      row,
      { status: statusOf('declined'), decidedAt: c.now.toString(), decidedBy: name, reason },
      'decline',
    )
    tellContact(
      c,
      row,
      `The customer declined quote ${textOf(row.reference)} (${priced(row)})${reason ? `: ${reason}` : '.'}`,
    )
    if (row.owner !== null) await c.after(quoteDeclined, { quote: row.id, reason, name })
  })
}

/** The decision in one transaction, under a lock on the quote: of two at once, the second finds it decided. */
async function decide(
  engine: Engine,
  token: string,
  request: RequestFacts,
  as: 'accepted' | 'declined',
  write: (c: Context, row: Row) => Promise<void>,
): Promise<Acceptance> {
  const { clientId, quoteId } = await followLink(engine, token)
  const actor = linkHolder(clientId, quoteId)
  await engine.inTenant(clientId, { actor, requestId: request.id, resource: quote, id: quoteId }, async (c) => {
    const [row] = await hold(c.work.tx, quote, clientId, (next) => `t.id = ${next(quoteId)}::bigint`)
    if (!row) throw problem.notFound()
    const state = stateOf(row, c.now)
    if (state === as) return () => undefined
    if (state !== 'open') throw problem.conflict(sentence(state, row))
    await write(c, row)
    return () => undefined
  })
  return shown(engine, token, await engine.one(quote, actor, quoteId))
}

const signed = (s: SignatureGiven, now: Instant, request: RequestFacts) => ({
  ...s,
  at: now.toString({ smallestUnit: 'second' }),
  address: request.address,
  agent: request.agent,
})

/** Counts the coupon's use, once for this quote. What an open quote promised holds, even if the coupon is used up by now. */
async function redeemed(c: Context, row: Row): Promise<'counted' | 'used up' | 'none'> {
  if (typeof row.coupon !== 'number' || (await isOwnCoupon(c.work, row.customer, row.coupon))) return 'none'
  const terms = await couponTerms(c, row.coupon, true)
  if (!terms) return 'none'
  const used = terms.timesRedeemed ?? 0
  if (terms.maxRedemptions && used >= terms.maxRedemptions) return 'used up'
  c.work.update(
    coupon,
    { id: terms.id, clientId: c.work.clientId, timesRedeemed: used },
    { timesRedeemed: used + 1 },
    'redeem',
  )
  return 'counted'
}

const priced = (row: Row) => `${formatMoney(Number(row.total), String(row.currency))} including VAT`

/** In the timeline of the contact, as a note of the quote's owner: they are who the customer answers. */
function tellContact({ work }: Context, row: Row, notes: string): void {
  if (row.contact !== null) work.create(note, { contact: row.contact, user: row.owner, author: row.ownedBy, notes })
}

const eventOf = (row: Row, acceptedAt: string): QuoteAccepted => ({
  quote: row.id,
  reference: String(row.reference),
  customer: Number(row.customer),
  contact: row.contact as number | null,
  coupon: row.coupon as number | null,
  currency: String(row.currency),
  total: Number(row.total),
  taxPercent: Number(row.taxPercent),
  plans: (row.plans as Row[]).map((l) => ({
    plan: Number(l.plan),
    quantity: Number(l.quantity),
    unitAmount: Number(l.unitAmount),
    interval: l.interval as string | null,
    intervalCount: l.intervalCount as number | null,
    taxPercent: l.taxPercent as number | null,
  })),
  billingCycleAnchor: row.billingCycleAnchor as number | null,
  prorate: row.prorate === true,
  acceptedAt,
})
