import { hash } from 'node:crypto'
import { problem } from '#kernel/errors.ts'
import { idFromResourceIri, parseId } from '#kernel/iri.ts'
import { iriOf } from '#kernel/resource.ts'
import { authorOf, createBearerActor, createSystemActor } from '#kernel/roles.ts'
import { type ComposedEmail, composeEmail } from '#kernel/system-email.ts'
import type { Instant } from '#kernel/time.ts'
import { user } from '#modules/identity/people/user.ts'
import { findEmailsAboutRecord, storeAttachment } from '#modules/portal/mail/claim.server.ts'
import { type EmailRequest, emailRequested } from '#modules/portal/mail/letter.ts'
import { notifyUsers } from '#modules/portal/notices/notify.server.ts'
import { findUsersWithRoles } from '#server/auth/accounts.ts'
import { eventHandler } from '#server/engine/handler.ts'
import { declareNotificationType } from '#server/engine/module.ts'
import type { Route } from '#server/engine/route.ts'
import { schedule } from '#server/engine/schedule.ts'
import type { Context, RecordReader } from '#server/engine/types.ts'
import { hydraCollection, listRoute } from '#server/http/list-route.ts'
import { createIfMatchCheck } from '#server/http/request.ts'
import { processRowsForAllClients, reminderSchedule } from '#server/jobs/remind.ts'
import { discountIn, loadDiscountApprovalState } from '../approvals/discount.server.ts'
import { billingUrls } from '../billing-urls.ts'
import { coupon } from '../catalogue/coupon.ts'
import { customer } from '../customers/customer.ts'
import { loadQuoteMailFacts, loadQuoteSettings, quoteSecretLink } from '../emails/emails.server.ts'
import { quoteAcceptedEmail, quoteDecidedEmail, quoteReminderEmail } from '../emails/mail.ts'
import { describeQuotePayments } from '../lines/payment-words.ts'
import { billingNav } from '../nav.ts'
import { quoteAcceptanceState } from '../print/acceptance-state.ts'
import { countTowardsDailyMailLimit, customerMailSender, loadSupplier } from '../print/financial-document.server.ts'
import { createQuotePdfResponse, formatQuotePdfFileName, renderQuotePdf } from '../print/pdf.server.ts'
import type { Supplier } from '../print/quote-document.ts'
import { FINANCE_ROLES, SELLING_ROLES } from '../rights.ts'
import { forecastInvoices } from '../subscriptions/renewal.server.ts'
import { copyableQuoteValues, recordQuoteReminder, toSavedQuoteTotals } from './decide.server.ts'
import { quoteAccepted, quoteDeclined } from './events.ts'
import type { QuoteRow, QuoteValues } from './quote.ts'
import { quote, quoteStatusId } from './quote.ts'

interface Posted {
  readonly id: number
  readonly emailTo: string
  readonly expiresAt: string | null
  readonly supplier: Supplier | null
}

/** Queues an e-mail about a quote. The body is not stored, because it contains the customer's link. */
export const queueQuoteMail = async (
  c: Context,
  { id, emailTo, expiresAt, supplier }: Posted,
  email: ComposedEmail,
  attachments: EmailRequest['attachments'] = [],
): Promise<void> => {
  const origin = { creatorName: authorOf(c.actor).name, addressee: emailTo }
  const link = { kind: quoteSecretLink.kind, about: { quote: id, expiresAt: expiresAt ?? c.now.toString(), ...origin } }
  await c.emit(emailRequested, {
    to: emailTo,
    ...email,
    ...customerMailSender(c.clientId, supplier),
    link,
    about: iriOf(quote, id),
    attachments,
  })
  await countTowardsDailyMailLimit(c, emailTo)
}

/** Delivery status of the e-mails about a quote, for users who can read the quote. */
const quoteMailsRoute: Route = {
  method: 'GET',
  path: `${quote.url}/{id}/letters`,
  title: 'List the e-mails to the customer about a quote and their delivery status, latest first',
  allow: SELLING_ROLES,
  listOf: 'objects',
  handle: async ({ engine, actor, me, params }) => {
    const { '@id': about } = await engine.one(quote, actor, await engine.idOf(quote, actor, params.id))
    return hydraCollection(await findEmailsAboutRecord(engine, me.clientId, String(about)))
  },
}

type Whose = Pick<Context, 'engine' | 'clientId'>

/** Returns the totals, coupon and seller of a quote as if it were sent now. */
export async function loadCurrentQuoteValues(c: RecordReader, of: Whose, row: QuoteRow): Promise<QuoteValues> {
  const terms = row.coupon === null ? undefined : await c.get(coupon, row.coupon)
  return { ...toSavedQuoteTotals(row, row, terms), supplier: await loadSupplier(c, of) }
}

/** Returns a fingerprint of the quote as it would be sent now. The fingerprint proves which preview the user saw. */
export function computeQuoteFingerprint(row: QuoteRow, today: QuoteValues): string {
  // The use count of a coupon is not part of the offer.
  const { timesRedeemed: _, ...terms } = today.couponTerms ?? {}
  const whole = {
    ...copyableQuoteValues(row),
    expiresAt: row.expiresAt,
    owner: row.owner,
    ...today,
    couponTerms: terms,
  }
  return hash('sha256', JSON.stringify(whole), 'base64url')
}

/** `GET quotes/{id}/preview`: returns the quote as it would be sent now, with the fingerprint that `send` takes. */
const quotePreviewRoute: Route = {
  method: 'GET',
  path: `${quote.url}/{id}/preview`,
  title: 'Preview a quote as it would be sent now, with the fingerprint for `send`',
  allow: SELLING_ROLES,
  handle: async ({ engine, actor, me, params, now }) => {
    const id = await engine.idOf(quote, actor, params.id)
    await engine.one(quote, actor, id)
    return engine.readIn(me.clientId, 'preview a quote', async (c) => {
      const row = await c.get(quote, id)
      const today = row ? await loadCurrentQuoteValues(c, { engine, clientId: me.clientId }, row) : {}
      return {
        '@id': `${iriOf(quote, id)}/preview`,
        '@type': 'QuotePreview',
        total: today.total ?? 0,
        totals: today.totals ?? null,
        couponTerms: today.couponTerms ?? null,
        supplier: today.supplier ?? null,
        nextInvoices: row
          ? forecastInvoices({ now }, row.state === 'draft' ? ({ ...row, ...today } as QuoteRow) : row)
          : null,
        fingerprint: row ? computeQuoteFingerprint(row, today) : '',
        approval:
          row && row.state === 'draft' ? await loadDiscountApprovalState(c, row, discountIn(row, today, now)) : null,
      }
    })
  },
}

export const quoteRoutes: readonly Route[] = [
  quoteMailsRoute,
  quotePreviewRoute,
  listRoute(quote, '/api/financial/customers/{id}/quotes', 'List a customer’s quotes, newest first', async (c) => {
    const id = await c.engine.idOf(customer, c.actor, c.params.id)
    await c.engine.one(customer, c.actor, id)
    return { extra: [{ sql: (next) => `t.customer_id = ${next(id)}::bigint` }] }
  }),
  {
    method: 'PUT',
    path: '/api/financial/quotes',
    title: 'Change the quote identified by "@id" or "id" in the body',
    allow: SELLING_ROLES,
    whileImpersonating: true,
    refuses: [412],
    handle: (c) => {
      const { '@id': iri, id } = c.body
      const named = typeof iri === 'string' ? idFromResourceIri(quote, iri) : parseId(id)
      if (named === undefined)
        throw problem.badRequest('Identify the quote with "@id", such as "/api/financial/quotes/12", or with "id".')
      const matches = createIfMatchCheck(c.request, c.engine)
      return c.engine.update(quote, named, c.body, { actor: c.me, requestId: c.request.id, ...matches })
    },
  },
  {
    method: 'GET',
    path: '/api/financial/quotes/{id}/pdf',
    title: 'Get the quote as a PDF',
    allow: SELLING_ROLES,
    file: ['application/pdf'],
    handle: async (c) => {
      const q = await c.engine.one(quote, c.actor, await c.engine.idOf(quote, c.actor, c.params.id))
      return createQuotePdfResponse(c.engine, c.me.clientId, q)
    },
  },
]

export const quoteDecidedNotification = declareNotificationType({
  kind: 'quote.decided',
  label: 'Quotes accepted or declined by customers',
  for: SELLING_ROLES,
  icon: 'money',
  of: quote,
  words: ({ company, decidedBy, reference, state }) =>
    `${company || decidedBy || 'The customer'} has ${state === 'accepted' ? 'accepted' : 'declined'} ${reference}`,
  path: ({ id }, _, { clientId }) => billingUrls(clientId).quote(id),
  mail: false,
})

/** Asks the provider's staff who set up clients to do so when a plan is sold. It links to the customer's page. */
export const clientSetupNotification = declareNotificationType({
  kind: 'client.set-up',
  label: 'Clients to set up after a sale',
  for: 'ROLE_CLIENTS_ADMIN',
  icon: 'users',
  of: quote,
  words: ({ company, reference }) => `Set up ${company || 'the client'}: ${reference} is accepted`,
  path: ({ customer: buyer }, _, { clientId }) => billingUrls(clientId).customer(buyer.id),
  mail: true,
})

/** Asks finance staff to bill an accepted quote that the portal could not bill automatically. */
export const unbilledQuoteNotification = declareNotificationType({
  kind: 'quote.unbilled',
  label: 'Accepted quotes that could not be billed',
  for: FINANCE_ROLES,
  icon: 'alert',
  of: quote,
  words: ({ reference }) => `${reference} is accepted, but not billed`,
  path: ({ id }, _, { clientId }) => billingUrls(clientId).quote(id),
  waits: billingNav.billingRun.area,
  todo: 'to bill',
  mail: true,
})

async function notifyUnbilled(c: Context, row: QuoteRow): Promise<void> {
  if (row.billedAt !== null) return
  const people = await findUsersWithRoles(c.work.tx, c.clientId, [...FINANCE_ROLES])
  await notifyUsers(
    c,
    unbilledQuoteNotification,
    people.map(({ userId }) => ({ to: userId, about: row.id, since: row.decidedAt ?? undefined })),
  )
}

async function notifyClientSetup(c: Context, row: QuoteRow): Promise<void> {
  if (!row.plans.length) return
  const people = await c.work.tx.rows<{ id: number }>(
    "SELECT id::int FROM user_account WHERE client_id = $1 AND NOT is_retired AND 'ROLE_CLIENTS_ADMIN' = ANY (roles) ORDER BY id",
    [c.clientId],
  )
  await notifyUsers(
    c,
    clientSetupNotification,
    people.map(({ id }) => ({ to: id, about: row.id, since: row.decidedAt ?? undefined })),
  )
}

async function notifyQuoteOwner(c: Context, row: QuoteRow): Promise<void> {
  const [owner] = row.ownedBy ? await c.find(user, { username: row.ownedBy, isRetired: false }) : []
  if (owner)
    await notifyUsers(c, quoteDecidedNotification, [{ to: owner.id, about: row.id, since: row.decidedAt ?? undefined }])
}

const expireQuotes = schedule({
  name: 'quotes-expire',
  every: { minutes: 15 },
  run: (engine) =>
    processRowsForAllClients(
      engine,
      {
        of: quote,
        where: { status: quoteStatusId('open') },
        condition: (next) => `t.expires_at <= ${next(engine.clock.now().toString())}::timestamptz`,
        reason: 'expire quotes',
      },
      async (c, row) => void (await c.act(quote, 'expire', row, {})),
    ),
})

/** Reminds customers before their quote expires, on the days set by the client. */
const remindCustomers = reminderSchedule({
  name: 'quote.expiry',
  of: quote,
  on: 'expiresAt',
  daily: '09:00',
  daysBefore: {
    most: 90,
    of: async (c) => {
      const rules = await loadQuoteSettings(c)
      return [rules.firstReminder, rules.secondReminder].filter((days) => days > 0)
    },
  },
  where: { status: quoteStatusId('open'), sendEmail: true },
  unless: (c, row) => !row.emailTo || quoteAcceptanceState(row, c.now) !== 'open' || sentToday(row, c.now),
  send: async (c, row) => {
    await queueQuoteMail(c, row, composeEmail(quoteReminderEmail, await loadQuoteMailFacts(c, row)))
    await recordQuoteReminder(c, row)
  },
})

const sentToday = (row: { sentAt: string | null }, now: Instant) =>
  row.sentAt !== null && Temporal.Instant.compare(Temporal.Instant.from(row.sentAt), now.subtract({ hours: 24 })) > 0

/**
 * Thanks the customer by e-mail for the acceptance. The signed quote is attached, because the link to the quote
 * expires.
 */
const thank = eventHandler(quoteAccepted, {
  name: 'quote.thank-customer',
  queue: 'events',
  send: async ({ engine, clientId }, { quote: id }) => {
    const reader = createBearerActor(clientId, { username: 'customer', name: 'The customer' }, [
      { type: quote.type, id, verbs: ['read'] },
    ])
    const signed = await engine.one(quote, reader, id)
    if (!signed.sendEmail || !signed.emailTo || signed.signedCopyAt) return
    const bytes = await renderQuotePdf(engine, clientId, signed)
    const why = { actor: createSystemActor(clientId, 'e-mail a signed quote to the customer'), requestId: 'letter' }
    await engine.inTenant(clientId, why, async (c) => {
      const row = await c.lock(quote, id)
      // If this is a retry after a crash, the e-mail may already have been sent.
      if (row.signedCopyAt === null) await postSigned(c, row, bytes)
      return () => undefined
    })
  },
})

async function postSigned(c: Context, row: QuoteRow, bytes: Buffer): Promise<void> {
  const signedAt = Temporal.Instant.from(row.decidedAt ?? c.now.toString())
  const facts = { ...(await loadQuoteMailFacts(c, row)), signedBy: row.decidedBy, signedAt }
  const pdf = await storeAttachment(c, { filename: formatQuotePdfFileName(row), contentType: 'application/pdf', bytes })
  await queueQuoteMail(c, row, composeEmail(quoteAcceptedEmail, facts), [pdf])
  await c.set(quote, row, { signedCopyAt: c.now.toString() }, 'thank')
}

const tellAccepted = eventHandler(quoteAccepted, {
  name: 'quote.thank',
  queue: 'events',
  run: async (c, accepted) => {
    const [row] = await c.lockAll(quote, { id: accepted.quote })
    if (!row) return
    const { owner } = await loadQuoteMailFacts(c, row)
    await mailOwner(c, row, owner.email, { decision: 'accepted', by: row.decidedBy })
    await notifyQuoteOwner(c, row)
    await notifyClientSetup(c, row)
    await notifyUnbilled(c, row)
  },
})

const tellDeclined = eventHandler(quoteDeclined, {
  name: 'quote.tell-declined',
  queue: 'events',
  run: async (c, declined) => {
    const [row] = await c.lockAll(quote, { id: declined.quote })
    if (!row) return
    const { owner } = await loadQuoteMailFacts(c, row)
    await mailOwner(c, row, owner.email, { decision: 'declined', by: row.company || row.emailTo })
    await notifyQuoteOwner(c, row)
  },
})

async function mailOwner(
  c: Context,
  row: QuoteRow,
  to: string,
  outcome: { readonly decision: 'accepted' | 'declined'; readonly by: string },
): Promise<void> {
  if (!to) return
  const payments = describeQuotePayments(row)
  await c.emit(emailRequested, { to, ...composeEmail(quoteDecidedEmail, { ...row, payments, ...outcome }) })
}

export const quoteHandlers = [thank, tellAccepted, tellDeclined]
export const quoteSchedules = [expireQuotes, remindCustomers]
