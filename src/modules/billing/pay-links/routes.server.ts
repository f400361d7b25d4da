import { Problem, problem } from '#kernel/errors.ts'
import { flag, integer, text } from '#kernel/fields.ts'
import { createSystemActor } from '#kernel/roles.ts'
import { londonDate } from '#kernel/time.ts'
import { client } from '#modules/portal/clients/client.ts'
import { linkLogoRoute, readLetterhead } from '#modules/portal/letterhead/letterhead.server.ts'
import { type AttemptLimit, countAttempt } from '#server/auth/attempts.ts'
import { ConcurrencyLimiter } from '#server/concurrency-limiter.ts'
import type { SecretLink } from '#server/engine/module.ts'
import { feature } from '#server/engine/module.ts'
import type { Route, RouteContext } from '#server/engine/route.ts'
import { routeWithInput } from '#server/engine/route-input.ts'
import { schedule } from '#server/engine/schedule.ts'
import { openSecretLink } from '#server/engine/secret-links.ts'
import type { Engine } from '#server/engine/types.ts'
import {
  addCard,
  type CardWriteContext,
  detachCard,
  saveOneOffCardAsDefault,
  startCardEntry,
} from '../cards/card.server.ts'
import { card } from '../cards/card.ts'
import type { MandateInput } from '../cards/mandate.server.ts'
import { mandate } from '../cards/mandate.ts'
import { GatewayError } from '../cards/payment-gateway.server.ts'
import { invoice } from '../invoices/invoice.ts'
import type { InvoiceRow } from '../invoices/lines.server.ts'
import { buildInvoiceDocument } from '../invoices/paper.ts'
import { canPayByCard, ensurePayLink, payLink } from '../invoices/pay-link.server.ts'
import { charge, MAX_PAYMENT_PENCE, PAYMENT_METHODS } from '../payments/charge.ts'
import { describeAccount, describeCard, PAY_LINK_AUTHOR } from '../payments/names.ts'
import { takePayment } from '../payments/take-payment.server.ts'
import { createFinancialDocumentPdfResponse } from '../print/financial-document.server.ts'
import { formatBankAccountLines } from '../print/quote-document.ts'
import { INVOICING_PACK, SELLING_ROLES } from '../rights.ts'
import { debitOf, signOnPaymentPage } from './debit.server.ts'
import { buildReceiptDocument, type PaymentPageData, type ReceivedPayment } from './payment-page.ts'

/** Minutes after which a card entry is treated as abandoned. */
const CARD_ENTRY_TIMEOUT_MINUTES = 10

/**
 * Decides what happens to a card entered on a payment link. If the card has paid and the payer asked to save it, the
 * card becomes the default; otherwise it is detached. Does nothing while a payment with the card is pending.
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

/** Saves or detaches entered cards whose payment has since finished or never took place. */
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
      const made = await ensurePayLink(c, Number(id))
      return () => made
    })
  },
}

const PAGE = '/api/financial/payments/{token}'

const ofLink = new ConcurrencyLimiter(1)
/**
 * Limit on Direct Debits that are set up simultaneously through one link. A second one waits, and is then refused with
 * its reason.
 */
const debitOfLink = new ConcurrencyLimiter(1, 1)
/** Limit on PDFs that are rendered simultaneously for a client's payment links, which work without signing in. */
const ofClient = new ConcurrencyLimiter(2)
const inTurn = <T>(clientId: number, id: number, make: () => Promise<T>): Promise<T> =>
  ofLink.run(`${clientId} ${id} pdf`, () => ofClient.run(String(clientId), make))
/** Number of cards declined for one invoice within an hour at which someone is suspected of testing stolen cards. */
const DECLINED = 10

/** Creates the actor for the holder of a payment link, with the rights needed to pay. */
const payer = (clientId: number) => ({
  ...createSystemActor(clientId, 'pay by payment link'),
  username: PAY_LINK_AUTHOR,
})

/** Returns the completed payments of an invoice, oldest first. Leaves out those that were refunded in full. */
const receivedPayments = (engine: Engine, clientId: number, id: number): Promise<ReceivedPayment[]> =>
  engine.readIn(clientId, 'open a payment link', async (c) => {
    const paid: ReceivedPayment[] = []
    for (const one of await c.find(charge, { invoice: id, state: 'succeeded' })) {
      if (one.amountRefunded === one.amount) continue
      const used = one.card === null ? undefined : await c.get(card, one.card)
      const held = one.mandate === null ? undefined : await c.get(mandate, one.mandate)
      const method = PAYMENT_METHODS.find(({ value }) => value === one.method)?.label ?? ''
      paid.push({
        day: londonDate(Temporal.Instant.from(one.receivedAt ?? one.createdAt)).toString(),
        method: used ? describeCard(used) : held ? `${method}, ${describeAccount(held)}` : method,
        amount: one.amount - one.amountRefunded,
      })
    }
    return paid
  })

const pageOf = (token: string | undefined) => PAGE.replace('{token}', token ?? '')

/** Returns the issued invoice of a link. Throws 404 for a draft. */
async function openIssued(engine: Engine, token: string | undefined): Promise<{ clientId: number; owed: InvoiceRow }> {
  const opened = await resolvePayLink(engine, token)
  if (opened.owed.state === 'draft') throw problem.notFound()
  return opened
}

async function present(engine: Engine, token: string | undefined): Promise<PaymentPageData> {
  const { clientId, owed } = await openIssued(engine, token)
  const underWay = await engine.readIn(clientId, 'open a payment link', (c) =>
    c.exists(charge, { invoice: owed.id, state: 'pending' }),
  )
  const isAccepted = await canPayByCard(engine, clientId)
  const { number, company, date, dueOn, currency, total, net, tax, amountDue, state, supplier } = owed
  const at = pageOf(token)
  return {
    '@id': at,
    '@type': 'PaymentPage',
    provider: supplier?.name || engine.config.provider,
    logo: (await readLetterhead(engine, clientId)).client.logo ? `${at}/logo` : null,
    number,
    company,
    date,
    dueOn,
    currency,
    lines: owed.lines.map((line) => ({ description: line.description, quantity: line.quantity, net: line.net })),
    net,
    tax,
    total,
    amountDue,
    state,
    payments: await receivedPayments(engine, clientId, owed.id),
    underWay,
    card: isAccepted,
    ...(isAccepted ? await debitOf(engine, clientId, owed) : { debit: null, mandate: null }),
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

/** Limit on the payments that the holder of a payment link may set up with the payment service. */
const SET_UPS: AttemptLimit = { free: 20, most: 20, minutes: 60 }

/** Counts a payment that is set up by link. Throws 429 above the limit. */
const countSetUp = (engine: Engine, clientId: number, id: number): Promise<void> =>
  engine.db.tx('system', (tx) => countAttempt(tx, [{ key: `payment-set-up:${clientId}-${id}`, pace: SET_UPS }]))

/** Sets up a Direct Debit for the customer of an invoice, with the values of the payment page's form. */
async function setUpDebit(c: RouteContext, input: MandateInput): Promise<PaymentPageData> {
  const { engine, params, request } = c
  const { clientId, owed } = await openIssued(engine, params.token)
  await countSetUp(engine, clientId, owed.id)
  return debitOfLink.run(`${clientId} ${owed.id}`, async () => {
    const { debit } = await present(engine, params.token)
    const acceptance = { address: request.address, agent: request.agent }
    await signOnPaymentPage(askedBy(c, clientId), owed, { debit, acceptance, input })
    return present(engine, params.token)
  })
}

const payLinkRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: PAGE,
    title: 'Get the invoice for a payment link',
    allow: 'anonymous',
    handle: async (c) => ({ ...(await present(c.engine, c.params.token)) }),
  },
  linkLogoRoute(PAGE, 'that issued the invoice of a payment link', openIssued),
  {
    method: 'GET',
    path: `${PAGE}/pdf`,
    title: 'Get the invoice for a payment link as a PDF',
    allow: 'anonymous',
    file: ['application/pdf'],
    handle: async ({ engine, params }) => {
      const { clientId, owed } = await openIssued(engine, params.token)
      return inTurn(clientId, owed.id, () =>
        createFinancialDocumentPdfResponse(engine, clientId, buildInvoiceDocument(owed), true),
      )
    },
  },
  {
    method: 'GET',
    path: `${PAGE}/receipt`,
    title: 'Get a receipt for the payments of an invoice as a PDF',
    allow: 'anonymous',
    refuses: [409],
    file: ['application/pdf'],
    handle: async ({ engine, params }) => {
      const { clientId, owed } = await openIssued(engine, params.token)
      const payments = await receivedPayments(engine, clientId, owed.id)
      if (!payments.length) throw problem.conflict('No payment of this invoice has been received yet.', 'wrong_state')
      return inTurn(clientId, owed.id, () =>
        createFinancialDocumentPdfResponse(engine, clientId, buildReceiptDocument(owed, payments), false),
      )
    },
  },
  {
    method: 'POST',
    path: `${PAGE}/card`,
    title: 'Set up card entry for a payment',
    allow: 'anonymous',
    secret: true,
    refuses: [409],
    handle: async (c) => {
      const { clientId, owed } = await openIssued(c.engine, c.params.token)
      if (owed.state !== 'open') throw problem.conflict('Nothing is due on this invoice.', 'wrong_state')
      await refuseTrying(c.engine, clientId, owed.id)
      await countSetUp(c.engine, clientId, owed.id)
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
  routeWithInput(
    {
      holder: text({ required: 'Enter the name on the account', max: 100, label: 'Name on the account' }),
      sortCode: text({ required: 'Enter the sort code', max: 20, label: 'Sort code' }),
      accountNumber: text({ required: 'Enter the account number', max: 20, label: 'Account number' }),
      authorised: flag({ help: 'Confirms that one person alone can authorise debits from this account.' }),
    },
    {
      method: 'POST',
      path: `${PAGE}/mandate`,
      title:
        'Set up a Direct Debit for the customer of an invoice. The account number goes to the payment service only',
      allow: 'anonymous',
      secret: true,
      refuses: [409],
      handle: async (c) => ({
        ...(await setUpDebit(c, { ...c.input, authorised: c.input.authorised === true })),
      }),
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
        const url = await ensurePayLink(unit, id)
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
