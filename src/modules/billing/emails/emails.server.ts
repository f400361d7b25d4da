import { Problem, problem } from '#kernel/errors.ts'
import { instant, integer, text } from '#kernel/fields.ts'
import type { Resource, RowOf } from '#kernel/resource.ts'
import { resource } from '#kernel/resource.ts'
import { createSystemActor, PROVIDER_CLIENT_ID } from '#kernel/roles.ts'
import { PORTAL_NAME_PLACEHOLDER, SECRET_LINK_PLACEHOLDER } from '#kernel/system-email.ts'
import { preventAutolinking } from '#kernel/text/break-links.ts'
import type { Instant } from '#kernel/time.ts'
import { staff } from '#modules/crm/staff/staff.ts'
import { client } from '#modules/portal/clients/client.ts'
import { prepareSql } from '#server/data/values.ts'
import type { SecretLink } from '#server/engine/module.ts'
import { feature } from '#server/engine/module.ts'
import { createSecretLink, openSecretLink } from '#server/engine/secret-links.ts'
import type { Context, Engine } from '#server/engine/types.ts'
import { customer } from '../customers/customer.ts'
import { describeQuotePayments, type QuotePayments } from '../lines/payment-words.ts'
import { INVOICING_PACK, type raisedLimitFields } from '../rights.ts'
import { type QuoteMailFacts, quoteAcceptedEmail, quoteDecidedEmail, quoteEmail, quoteReminderEmail } from './mail.ts'
import { quoteSettings } from './settings.ts'

type QuoteRules = Omit<RowOf<typeof quoteSettings>, 'id' | 'clientId' | keyof typeof raisedLimitFields>

const USUAL: QuoteRules = {
  validDays: 30,
  firstReminder: 7,
  secondReminder: 1,
  // By default, discounts need no approval. A client with a single user has no second person to approve a discount.
  discountLimitPercent: 100,
  discountLimitAmount: 1_000_000_000,
  terms: '',
}

/** Returns the quote settings of this client, or the defaults. */
export async function loadQuoteSettings(c: Pick<Context, 'find'>): Promise<QuoteRules> {
  const [row] = await c.find(quoteSettings, {})
  return row ?? USUAL
}

/** A link to a quote, sent to a customer, with a hash of the link's secret. Internal to the portal. */
const quoteLink = resource({
  type: 'QuoteLink',
  service: 'financial',
  path: 'quote_links',
  table: 'quote_link',
  tenant: 'own',
  fields: {
    /** ID of the quote. Not a relation, because the e-mail code doesn't depend on quotes. */
    quote: integer({ required: true, notNull: true, column: 'quote_id' }),
    hash: text({ required: true, visible: 'nobody' }),
    expiresAt: instant({ required: true, notNull: true }),
    /**
     * Name of the user who created the link, or of the job that e-mailed it; empty for links created before names were
     * recorded.
     */
    creatorName: text({ default: '' }),
    /** Address of the e-mail with the link; empty if the link was not created for an e-mail. */
    addressee: text({ default: '' }),
  },
  allow: { read: 'nobody' },
})

/** Days after a quote's expiry during which the link to the quote still opens. */
const LINK_GRACE_DAYS = 30

/** Creator of a quote link, and the address to which it is e-mailed. */
interface QuoteLinkOrigin {
  readonly creatorName: string
  readonly addressee: string
}

/** Creates a new link to the quote. The link's secret is not stored. */
export async function createQuoteLink(
  c: Context,
  quoteId: number,
  expiresAt: Instant,
  origin: QuoteLinkOrigin,
): Promise<string> {
  const { hash, url } = createSecretLink(c.engine.config)
  const made = await c.withoutPermissionCheck('send a quote link to a customer').create(quoteLink, {
    quote: quoteId,
    hash,
    expiresAt: expiresAt.add({ hours: 24 * LINK_GRACE_DAYS }).toString(),
    ...origin,
  })
  const { id } = await made.saved()
  return url('/quote', c.clientId, id)
}

/**
 * Resolves a link to its quote. Throws 404 for an unknown link, and 410 if the link has expired or the seller has been
 * retired.
 */
export async function resolveQuoteLink(
  engine: Engine,
  token?: string,
): Promise<{ clientId: number; quoteId: number; linkId: number }> {
  return openSecretLink(engine, token, 'open a quote link', async (c, { clientId, id, hasHash }) => {
    const [row, seller] = [await c.get(quoteLink, id), await c.get(client, clientId)]
    if (!row || !hasHash(row.hash)) return undefined
    if (seller?.retired || Date.parse(row.expiresAt) < engine.clock.now().epochMilliseconds)
      throw new Problem(410, 'This link has expired. Please ask us for a new one.')
    return { clientId, quoteId: row.quote, linkId: id }
  })
}

/** Returns the origin of the link used to sign a quote; `undefined` if no link was used. */
export async function loadQuoteLinkOrigin(c: Pick<Context, 'get'>, linkId: number | null | undefined) {
  const row = linkId ? await c.get(quoteLink, linkId) : undefined
  return row && { link: row.id, linkAuthor: row.creatorName ?? '', linkAddressee: row.addressee ?? '' }
}

/** Quote that an e-mail is about: its row, or the values about to be saved. */
interface Subject extends Pick<QuoteMailFacts, 'reference' | 'company' | 'message' | 'supplier'>, QuotePayments {
  readonly id: number
  readonly customer: number
  readonly owner: number | null
  readonly expiresAt: string | null
}

/** Returns the data for e-mails about a quote. The link is created when the e-mail is sent. */
export async function loadQuoteMailFacts(c: Context, q: Subject): Promise<QuoteMailFacts> {
  const { reference, company, message, supplier } = q
  const expiresAt = q.expiresAt === null ? undefined : Temporal.Instant.from(q.expiresAt)
  const owner = q.owner === null ? undefined : await c.get(staff, q.owner)
  const buyer = await c.get(customer, q.customer)
  return {
    reference,
    company,
    contactName: buyer?.contactName ?? '',
    payments: describeQuotePayments(q),
    // A client's own text is sent by the provider's mail server, so URLs in the text must not become links.
    message: c.clientId === PROVIDER_CLIENT_ID ? message : preventAutolinking(message),
    expiresAt,
    provider: PORTAL_NAME_PLACEHOLDER,
    supplier,
    owner: owner ?? { name: '', telephone: '', email: '' },
    link: SECRET_LINK_PLACEHOLDER,
  }
}

/** Link with which a customer reads a quote and accepts or declines it. */
export const quoteSecretLink: SecretLink = {
  kind: 'quote',
  make: (engine, clientId, { quote, expiresAt, creatorName = '', addressee = '' }) => {
    const change = { actor: createSystemActor(clientId, 'send a quote link to a customer'), requestId: 'letter' }
    return engine.inTenant(clientId, change, async (c) => {
      const origin = { creatorName: String(creatorName), addressee: String(addressee) }
      const link = await createQuoteLink(c, Number(quote), Temporal.Instant.from(String(expiresAt)), origin)
      return () => link
    })
  },
}

export const quoteEmails = feature({
  pack: INVOICING_PACK,
  resources: [quoteLink, quoteSettings],
  emails: [quoteEmail, quoteReminderEmail, quoteAcceptedEmail, quoteDecidedEmail],
  links: [quoteSecretLink],
})

/** Minutes within which the same e-mail must be confirmed. */
const REPEAT_MINUTES = 10

const JUST_REQUESTED = prepareSql(
  `SELECT EXISTS (SELECT FROM audit WHERE client_id = $1::int AND type = $2 AND row_id = $3::bigint AND verb = $4
     AND at > portal_now() - interval '${REPEAT_MINUTES} minutes')`,
)

/**
 * Throws 409 `already_there` if a locked record's e-mail was requested a moment ago, so that repeated requests send one
 * e-mail. Its request is audited under `verb`.
 */
export async function refuseRepeatedEmail(c: Context, r: Resource, id: number, verb: string): Promise<void> {
  const [row] = await c.work.tx.arrays(JUST_REQUESTED, [c.clientId, r.type, id, verb])
  if (row?.[0] === true) throw justRequested()
}

/** Throws 409 `already_there` if the same e-mail was last requested a moment ago. */
export function refuseEmailRequestedSince({ now }: Pick<Context, 'now'>, last: Temporal.Instant): void {
  if (Temporal.Instant.compare(now, last.add({ minutes: REPEAT_MINUTES })) < 0) throw justRequested()
}

const justRequested = () =>
  problem.conflict(
    'This e-mail was requested a moment ago. To send it again, choose “Send again” once more.',
    'already_there',
  )
