import { Problem, problem } from '#kernel/errors.ts'
import { flag, instant, integer, link, text } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'
import { createSystemActor } from '#kernel/roles.ts'
import { client } from '#modules/portal/clients/client.ts'
import { ConcurrencyLimiter } from '#server/concurrency-limiter.ts'
import type { SecretLink } from '#server/engine/module.ts'
import { feature } from '#server/engine/module.ts'
import type { Route, RouteContext } from '#server/engine/route.ts'
import { routeWithInput } from '#server/engine/route-input.ts'
import { schedule } from '#server/engine/schedule.ts'
import { createSecretLink, openSecretLink } from '#server/engine/secret-links.ts'
import type { Context, Engine } from '#server/engine/types.ts'
import {
  addCard,
  type CardWriteContext,
  canClientAcceptCards,
  detachCard,
  saveOneOffCardAsDefault,
  startCardEntry,
} from '../cards/card.server.ts'
import { card } from '../cards/card.ts'
import { GatewayError } from '../cards/payment-gateway.server.ts'
import { invoice } from '../invoices/invoice.ts'
import { charge, MAX_PAYMENT_PENCE } from '../payments/charge.ts'
import { PAY_LINK_AUTHOR } from '../payments/names.ts'
import { takePayment } from '../payments/take-payment.server.ts'
import { formatBankAccountLines } from '../print/quote-document.ts'
import { INVOICING_PACK, SELLING_ROLES } from '../rights.ts'
import type { PaymentPageData } from './payment-page.ts'

/** Payment link for an invoice, with a hash of the link's secret. Internal to the portal. */
const payLink = resource({
  type: 'PayLink',
  service: 'financial',
  path: 'pay_links',
  table: 'pay_link',
  tenant: 'own',
  fields: {
    invoice: link(() => invoice, { required: true, notNull: true }),
    hash: text({ required: true, visible: 'nobody' }),
    expiresAt: instant({ required: true, notNull: true }),
  },
  allow: { read: 'nobody' },
})

/** Minutes after which a card entry is treated as abandoned. */
const CARD_ENTRY_TIMEOUT_MINUTES = 10

/**
 * Decides what happens to a card entered on a payment link. If the card has paid and the payer requested it, the card
 * is saved as the default; otherwise it is detached. Does nothing while a payment with the card is pending.
 */
async function finishEnteredCard(asked: CardWriteContext, id: number): Promise<void> {
  const { engine, actor, requestId } = asked
  const becomes = await engine.readIn(actor.clientId, CARD_ENTRY_REASON, async (c) => {
    const row = await c.get(card, id)
    if (!row || row.retired || row.kept === 'yes') return undefined
    const paid = await c.find(charge, { card: id })
    if (paid.some(({ state }) => state === 'pending')) return undefined
    return row.kept === 'ifPaid' && paid.some(({ state }) => state === 'succeeded') ? 'kept' : 'let go'
  })
  const change = { actor, requestId }
  if (becomes === 'kept')
    await engine.inTenant(actor.clientId, change, async (c) => {
      await saveOneOffCardAsDefault(c, id)
      return () => undefined
    })
  if (becomes === 'let go')
    await detachCard({ ...asked, change }, id, { evenIfLost: true }).catch((e: unknown) => {
      // If the payment service is unavailable, the card is detached later.
      if (!(e instanceof GatewayError)) throw e
    })
}
const CARD_ENTRY_REASON = 'save a card entered for one payment'

/** Saves or detaches entered cards whose payment has since finished or was never made. */
const settleLeft = schedule({
  name: 'cards-entered',
  every: { minutes: 5 },
  run: async (engine) => {
    const before = engine.clock.now().subtract({ minutes: CARD_ENTRY_TIMEOUT_MINUTES }).toString()
    const left = await engine.db.tx('system', (tx) =>
      tx.rows<{ client: number; id: number }>(
        `SELECT client_id::int AS client, id::int AS id FROM card
         WHERE kept <> 'yes' AND NOT retired AND created_at <= $1::timestamptz ORDER BY client_id, id`,
        [before],
      ),
    )
    for (const { client, id } of left) {
      const change = { actor: createSystemActor(client, CARD_ENTRY_REASON), requestId: `card ${id}` }
      await finishEnteredCard({ engine, ...change, change }, id)
    }
  },
})

const enteredCardSchedules = [settleLeft]

/** Days for which a link works. The period is long, because payment of an invoice may be requested many times. */
const DAYS = 180

/** Creates a payment link for an invoice. The link's secret is not stored. */
export async function createPayLink(c: Context, invoiceId: number): Promise<string> {
  const { hash, url } = createSecretLink(c.engine.config)
  const made = await c.withoutPermissionCheck('send a payment link to a customer').create(payLink, {
    invoice: invoiceId,
    hash,
    expiresAt: c.now.add({ hours: 24 * DAYS }).toString(),
  })
  const { id } = await made.saved()
  return url('/pay', c.clientId, id)
}

/**
 * Resolves a link to its invoice. Throws 404 for an unknown link, and 410 if the link has expired or the seller has
 * been retired.
 */
async function resolvePayLink(engine: Engine, token?: string) {
  return openSecretLink(engine, token, 'open a payment link', async (c, { clientId, id, hasHash }) => {
    const [row, seller] = [await c.get(payLink, id), await c.get(client, clientId)]
    const owed = row && (await c.get(invoice, row.invoice))
    if (!row || !owed || !hasHash(row.hash)) return undefined
    if (seller?.retired || Date.parse(row.expiresAt) < engine.clock.now().epochMilliseconds)
      throw new Problem(410, 'This link has expired. Please ask us for a new one.')
    return { clientId, owed }
  })
}

/** Payment link for e-mails about an invoice; created when the e-mail is sent. */
export const invoicePaymentSecretLink: SecretLink = {
  kind: 'pay',
  make: (engine, clientId, { invoice: id }) => {
    const change = { actor: createSystemActor(clientId, 'send a payment link to a customer'), requestId: 'letter' }
    return engine.inTenant(clientId, change, async (c) => {
      const made = await createPayLink(c, Number(id))
      return () => made
    })
  },
}

const PAGE = '/api/financial/payments/{token}'

const ofLink = new ConcurrencyLimiter(1)
/** Number of cards declined for one invoice within an hour at which someone is suspected of testing stolen cards. */
const DECLINED = 10

/** Creates the actor for the holder of a payment link, with the rights needed to pay. */
const payer = (clientId: number) => ({
  ...createSystemActor(clientId, 'pay by payment link'),
  username: PAY_LINK_AUTHOR,
})

async function present(engine: Engine, token: string | undefined): Promise<PaymentPageData> {
  const { clientId, owed } = await resolvePayLink(engine, token)
  if (owed.state === 'draft') throw problem.notFound()
  const underWay = await engine.readIn(clientId, 'open a payment link', (c) =>
    c.exists(charge, { invoice: owed.id, state: 'pending' }),
  )
  const { number, company, date, dueOn, currency, total, amountDue, state, supplier } = owed
  return {
    '@id': PAGE.replace('{token}', token ?? ''),
    '@type': 'PaymentPage',
    provider: supplier?.name || engine.config.provider,
    number,
    company,
    date,
    dueOn,
    currency,
    total,
    amountDue,
    state,
    underWay,
    card: await canClientAcceptCards(engine, clientId),
    bank: supplier?.bank ? formatBankAccountLines(supplier.bank) : [],
  }
}

const askedBy = (c: RouteContext, clientId: number) => {
  const change = { actor: payer(clientId), requestId: c.request.id }
  return { engine: c.engine, ...change, change, finish: change }
}

/** Throws 429 if too many cards have been declined for the invoice in the last hour. */
async function refuseTrying(engine: Engine, clientId: number, id: number): Promise<void> {
  const since = engine.clock.now().subtract({ hours: 1 })
  const failed = await engine.readIn(clientId, 'open a payment link', (c) =>
    c.find(charge, { invoice: id, state: 'failed' }),
  )
  const lately = failed.filter((one) => Temporal.Instant.compare(Temporal.Instant.from(one.createdAt), since) > 0)
  if (lately.length >= DECLINED) throw problem.tooMany(3600)
}

const payLinkRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: PAGE,
    title: 'Get the invoice for a payment link',
    allow: 'anonymous',
    handle: async (c) => ({ ...(await present(c.engine, c.params.token)) }),
  },
  {
    method: 'POST',
    path: `${PAGE}/card`,
    title: 'Set up card entry for a payment',
    allow: 'anonymous',
    secret: true,
    handle: async (c) => {
      const { clientId, owed } = await resolvePayLink(c.engine, c.params.token)
      await refuseTrying(c.engine, clientId, owed.id)
      return { ...(await startCardEntry(askedBy(c, clientId), owed.customer, 'pay')) }
    },
  },
  routeWithInput(
    {
      card: text({ required: 'Please enter your card details' }),
      keep: flag({ help: 'Save the card and charge later invoices to this card.' }),
      amountDue: integer({
        required: true,
        min: 1,
        max: MAX_PAYMENT_PENCE,
        help: 'Amount due as shown on the page; returns 409 if the amount differs.',
      }),
    },
    {
      method: 'POST',
      path: `${PAGE}/pay`,
      title: 'Pay the amount due with a card just entered',
      allow: 'anonymous',
      handle: async (c) => {
        const { clientId, owed } = await resolvePayLink(c.engine, c.params.token)
        return ofLink.run(`${clientId} ${owed.id}`, async () => {
          await refuseTrying(c.engine, clientId, owed.id)
          const asked = askedBy(c, clientId)
          const { id: entered } = await addCard(asked, owed.customer, c.input.card, c.input.keep ? 'ifPaid' : 'no')
          try {
            await takePayment(asked, {
              customer: owed.customer,
              invoice: owed.id,
              card: entered,
              method: 'card',
              amount: c.input.amountDue,
              amountDue: c.input.amountDue,
              currency: null,
              reference: '',
              receivedAt: null,
              notes: 'Paid by payment link',
              keepBoth: false,
              byHolder: true,
            })
          } finally {
            await finishEnteredCard(asked, entered)
          }
          return { ...(await present(c.engine, c.params.token)) }
        })
      },
    },
  ),
  {
    method: 'POST',
    path: '/api/financial/invoices/{id}/pay-link',
    title: 'Create a payment link for an invoice',
    allow: SELLING_ROLES,
    secret: true,
    handle: async (c) => {
      const id = await c.engine.idOf(invoice, c.actor, c.params.id)
      const { state } = await c.engine.one(invoice, c.actor, id)
      if (state !== 'open')
        throw problem.conflict('This invoice is not open, so there is nothing to pay.', 'wrong_state')
      return c.engine.inTenant(c.me.clientId, c.change(), async (unit) => {
        const url = await createPayLink(unit, id)
        return () => ({ url })
      })
    },
  },
]

export const payLinks = feature({
  pack: INVOICING_PACK,
  resources: [payLink],
  routes: payLinkRoutes,
  schedules: enteredCardSchedules,
  links: [invoicePaymentSecretLink],
})
