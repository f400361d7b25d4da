import { problem } from '#kernel/errors.ts'
import { text } from '#kernel/fields.ts'
import type { RecordOf } from '#kernel/resource.ts'
import { createBearerActor, createSystemActor } from '#kernel/roles.ts'
import { linkLogoRoute, readLetterhead } from '#modules/portal/letterhead/letterhead.server.ts'
import { ConcurrencyLimiter } from '#server/concurrency-limiter.ts'
import type { ApiRecord } from '#server/data/json-select.ts'
import { feature } from '#server/engine/module.ts'
import type { RequestDetails, Route, RouteContext } from '#server/engine/route.ts'
import { routeWithInput } from '#server/engine/route-input.ts'
import type { Context, Engine } from '#server/engine/types.ts'
import { customer } from '../customers/customer.ts'
import { resolveQuoteLink } from '../emails/emails.server.ts'
import { loadInvoiceBuyer } from '../invoices/invoice.server.ts'
import { invoice } from '../invoices/invoice.ts'
import { canPayByCard, ensurePayLink } from '../invoices/pay-link.server.ts'
import { describeBillingInterval } from '../lines/payment-words.ts'
import { describeClosedQuote, quoteAcceptanceState } from '../print/acceptance-state.ts'
import { loadSupplier } from '../print/financial-document.server.ts'
import { createQuotePdfResponse } from '../print/pdf.server.ts'
import { buildQuoteDocument, formatBankAccountLines } from '../print/quote-document.ts'
import { quote } from '../quotes/quote.ts'
import { INVOICING_PACK } from '../rights.ts'
import { forecastInvoices, RENEWABLE_STATUSES } from '../subscriptions/renewal.server.ts'
import { subscription } from '../subscriptions/subscription.ts'
import type { QuoteAcceptance, QuoteConversion } from './acceptance.ts'

type Quote = RecordOf<typeof quote>

/**
 * Creates the actor for the bearer of a quote link. The actor can access only this quote, and the audit trail records
 * the link.
 */
const linkBearer = (clientId: number, quoteId: number) =>
  createBearerActor(clientId, { username: 'customer', name: 'Customer (by link)' }, [
    { type: quote.type, id: quoteId, verbs: ['read', 'opened', 'accept', 'decline'] },
  ])

/** Returns the quote revision sent with a link, as the bearer of the link sees it. */
async function loadQuoteAcceptance(engine: Engine, token: string | undefined): Promise<QuoteAcceptance> {
  const { clientId, quote } = await loadQuoteByToken(engine, token)
  return present(engine, token, clientId, quote)
}

/** Returns the quote that a link gives access to, and the quote's client. */
async function loadQuoteByToken(
  engine: Engine,
  token: string | undefined,
): Promise<{ clientId: number; quote: Quote }> {
  const { clientId, quoteId } = await resolveQuoteLink(engine, token)
  return { clientId, quote: await engine.one(quote, linkBearer(clientId, quoteId), quoteId) }
}

async function present(
  engine: Engine,
  token: string | undefined,
  clientId: number,
  q: Quote,
): Promise<QuoteAcceptance> {
  const state = quoteAcceptanceState(q, engine.clock.now())
  const at = `/api/financial/acceptances/${token}`
  const paper = buildQuoteDocument(q, q.couponTerms)
  const made = state === 'accepted' && q.billedAt !== null ? await madeOf(engine, clientId, q.id) : null
  const isDue = made?.invoices.some(({ isPaid }) => !isPaid)
  return {
    '@id': at,
    '@type': 'Acceptance',
    provider: engine.config.provider,
    paper: state === 'open' ? { ...paper, next: await nextOf(engine, clientId, q.id) } : paper,
    emailTo: q.emailTo ?? '',
    logo: (await readLetterhead(engine, clientId)).client.logo ? `${at}/logo` : null,
    state,
    decidedAt: q.decidedAt,
    decidedBy: q.decidedBy,
    asksAddress: state === 'open' ? await askedAddress(engine, clientId, q.customer.id) : null,
    made,
    payment: isDue ? await loadWaysToPay(engine, clientId) : null,
    sentence: describeClosedQuote(state, q),
  }
}

/** Returns the ways in which a client's customers can pay: by card, and the bank details as lines of text. */
const loadWaysToPay = async (engine: Engine, clientId: number) => {
  const { bank } = await engine.readIn(clientId, 'show how to pay', (c) => loadSupplier(c, { engine, clientId }))
  return { card: await canPayByCard(engine, clientId), bank: bank ? formatBankAccountLines(bank) : [] }
}

/**
 * Returns the invoices and subscriptions that the quote would create if it were accepted today. The printed quote shows
 * those of the day on which it was sent.
 */
const nextOf = (engine: Engine, clientId: number, id: number) =>
  engine.readIn(clientId, 'read a quote before acceptance', async (c) => {
    const row = await c.get(quote, id)
    return row ? forecastInvoices({ now: engine.clock.now() }, row) : null
  })

/**
 * Returns the invoices and subscriptions that the accepted quote created, as the customer sees them. Drafts awaiting
 * review are left out.
 */
const madeOf = (engine: Engine, clientId: number, id: number): Promise<QuoteConversion> =>
  engine.readIn(clientId, 'read a quote after acceptance', async (c) => {
    const invoices = await c.find(invoice, { quote: id, state: ['open', 'paid'] })
    const subscriptions = await c.find(subscription, { quote: id, status: [...RENEWABLE_STATUSES] })
    return {
      invoices: invoices.map(({ number, total, dueOn, state }) => ({ number, total, dueOn, isPaid: state === 'paid' })),
      subscriptions: subscriptions.map((one) => ({
        rhythm: describeBillingInterval(one.interval, one.intervalCount),
        nextOn: one.renewsOn,
      })),
    }
  })

/** Returns the address fields to ask for if the customer's address is incomplete. The stored address is not shown. */
const askedAddress = (engine: Engine, clientId: number, customerId: number): Promise<QuoteAcceptance['asksAddress']> =>
  engine.readIn(clientId, 'read a quote before acceptance', async (c) => {
    const of = await c.get(customer, customerId)
    return of && (await loadInvoiceBuyer(c, of)).addressLacks ? { postcode: of.country === 'GB' } : null
  })

const ADDRESS_FIELDS = ['address1', 'address2', 'city', 'county', 'postcode'] as const

/**
 * Saves the address that the accepting customer has entered, if the stored address is incomplete. Unusable values are
 * left out, because an address must never prevent a signature.
 */
async function saveBillingAddress(c: Context, quoteId: number, given: unknown): Promise<void> {
  const unit = c.withoutPermissionCheck('save the address that a customer enters on acceptance')
  const of = await unit.lock(quote, quoteId)
  const buyer = of.state === 'open' ? await unit.get(customer, of.customer) : undefined
  if (!buyer || typeof given !== 'object' || given === null || !(await loadInvoiceBuyer(unit, buyer)).addressLacks)
    return
  const entered = Object.entries(given).flatMap(([name, value]) => {
    const field = ADDRESS_FIELDS.find((one) => one === name)
    const words = trimText(value)
    return field && words && words.length <= (customer.fields[field].max ?? MAX_ADDRESS_LINE)
      ? [[field, words] as const]
      : []
  })
  if (entered.length) await unit.change(customer, buyer, Object.fromEntries(entered))
}

/** Maximum length of a line of an address, in characters. */
const MAX_ADDRESS_LINE = 255

interface AcceptanceRequest {
  readonly engine: Engine
  readonly token: string | undefined
  readonly body: ApiRecord
  readonly request: RequestDetails
}

/** Records when the customer first opened the page. */
const recordQuoteLinkOpened = (asked: AcceptanceRequest): Promise<QuoteAcceptance> =>
  decide(asked, (c, id) => c.act(quote, 'opened', id, {}))

const acceptQuoteByLink = (asked: AcceptanceRequest): Promise<QuoteAcceptance> => {
  const { body, request } = asked
  const { address, agent } = request
  return decide(asked, async (c, id, link) => {
    await saveBillingAddress(c, id, body.billingAddress)
    return c.act(quote, 'accept', id, { signature: body.signature, address, agent, link })
  })
}

const declineQuoteByLink = (asked: AcceptanceRequest): Promise<QuoteAcceptance> => {
  const { reason, name } = asked.body
  return decide(asked, (c, id) => c.act(quote, 'decline', id, { reason: trimText(reason), name: trimText(name) }))
}

const trimText = (value: unknown) => (typeof value === 'string' ? value.trim() : '')

/** Runs an action on the quote as the bearer of the quote's link. */
async function decide(
  { engine, token, request }: AcceptanceRequest,
  act: (c: Context, quoteId: number, linkId: number) => Promise<unknown>,
): Promise<QuoteAcceptance> {
  const { clientId, quoteId, linkId } = await resolveQuoteLink(engine, token)
  const actor = linkBearer(clientId, quoteId)
  const change = { actor, requestId: request.id, resource: quote, id: quoteId }
  return engine.inTenant(clientId, change, async (c) => {
    await act(c, quoteId, linkId)
    return async () => present(engine, token, clientId, await engine.one(quote, actor, quoteId))
  })
}

const requestOf = ({ engine, params, body, request }: RouteContext) => ({ engine, token: params.token, body, request })

/**
 * Limits on concurrent PDF rendering, per quote and per client, because the bearer of a link can request PDFs without
 * signing in.
 */
const ofQuote = new ConcurrencyLimiter(1)
const ofClient = new ConcurrencyLimiter(2)

const acceptanceRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/api/financial/acceptances/{token}',
    title: 'Get the quote for a customer link',
    allow: 'anonymous',
    handle: async (c) => ({ ...(await loadQuoteAcceptance(c.engine, c.params.token)) }),
  },
  {
    method: 'POST',
    path: '/api/financial/acceptances/{token}/opened',
    title: 'Record that the quote has been opened',
    allow: 'anonymous',
    handle: async (c) => ({ ...(await recordQuoteLinkOpened(requestOf(c))) }),
  },
  {
    method: 'POST',
    path: '/api/financial/acceptances/{token}/accept',
    title: 'Accept and sign the quote',
    allow: 'anonymous',
    handle: async (c) => ({ ...(await acceptQuoteByLink(requestOf(c))) }),
  },
  {
    method: 'POST',
    path: '/api/financial/acceptances/{token}/decline',
    title: 'Decline the quote',
    allow: 'anonymous',
    handle: async (c) => ({ ...(await declineQuoteByLink(requestOf(c))) }),
  },
  routeWithInput(
    { number: text({ required: true, help: 'Number of an unpaid invoice that the accepted quote created.' }) },
    {
      method: 'POST',
      path: '/api/financial/acceptances/{token}/pay',
      title: 'Get the payment link of an invoice that the accepted quote created',
      allow: 'anonymous',
      secret: true,
      refuses: [409],
      handle: async ({ engine, params, input, request }) => {
        const { clientId, quoteId } = await resolveQuoteLink(engine, params.token)
        const actor = createSystemActor(clientId, 'pay an invoice of an accepted quote')
        const isCardAccepted = await canPayByCard(engine, clientId)
        return engine.inTenant(clientId, { actor, requestId: request.id }, async (c) => {
          const [owed] = await c.find(invoice, { quote: quoteId, number: input.number, state: 'open' })
          if (!owed || !isCardAccepted) throw problem.conflict('There is nothing to pay by card here.', 'wrong_state')
          const url = await ensurePayLink(c, owed.id)
          return () => ({ url })
        })
      },
    },
  ),
  linkLogoRoute('/api/financial/acceptances/{token}', 'that sent the quote of a customer link', resolveQuoteLink),
  {
    method: 'GET',
    path: '/api/financial/acceptances/{token}/pdf',
    title: 'Get the quote for a customer link as a PDF',
    allow: 'anonymous',
    file: ['application/pdf'],
    handle: async (c) => {
      const { clientId, quote } = await loadQuoteByToken(c.engine, c.params.token)
      return createQuotePdfResponse(c.engine, clientId, quote, (make) =>
        ofQuote.run(quote['@id'], () => ofClient.run(String(clientId), make)),
      )
    },
  },
]

export const acceptance = feature({
  pack: INVOICING_PACK,
  routes: acceptanceRoutes,
})
