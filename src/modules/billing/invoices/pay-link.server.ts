import encodeQR from 'qr'
import { Problem } from '#kernel/errors.ts'
import { instant, link, text } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'
import { secretSealerFor } from '#server/auth/sealing.ts'
import { createSecretLink, secretLinkUrl } from '#server/engine/secret-links.ts'
import type { Context, Engine, RecordReader } from '#server/engine/types.ts'
import { canClientAcceptCards, getPaymentGateway } from '../cards/card.server.ts'
import type { FinancialDocument } from '../print/financial-document.ts'
import { invoice } from './invoice.ts'
import type { InvoiceRow } from './lines.server.ts'

/** Payment link for an invoice, with a hash of the link's secret. Internal to the portal. */
export const payLink = resource({
  type: 'PayLink',
  service: 'financial',
  path: 'pay_links',
  table: 'pay_link',
  tenant: 'own',
  fields: {
    invoice: link(() => invoice, { required: true, notNull: true }),
    hash: text({ required: true, visible: 'nobody' }),
    /** The encrypted secret, so that the invoice's PDF can be printed again with the same link. */
    sealed: text({ visible: 'nobody' }),
    expiresAt: instant({ required: true, notNull: true }),
  },
  allow: { read: 'nobody' },
})

/** Days for which a link works. The period is long, because payment of an invoice may be requested many times. */
const DAYS = 180
/** Days before the end of a link at which a document gets a new one. */
const RENEWAL_DAYS = 30
const PAGE = '/pay'

const sealedFor = (invoiceId: number) => `payment link of invoice ${invoiceId}`

/** Returns the link that is printed on an invoice and sent with its e-mails. Creates it if there is none. */
export async function ensurePayLink(c: Context, invoiceId: number): Promise<string> {
  await c.lock(invoice, invoiceId)
  const known = await findPayLink(c, invoiceId)
  if (known) return known
  const { hash, secret, url } = createSecretLink(c.engine.config)
  const made = await c.withoutPermissionCheck('send a payment link to a customer').create(payLink, {
    invoice: invoiceId,
    hash,
    sealed: secretSealerFor(c.engine.config).seal(secret, sealedFor(invoiceId)),
    expiresAt: c.now.add({ hours: 24 * DAYS }).toString(),
  })
  const { id } = await made.saved()
  return url(PAGE, c.clientId, id)
}

interface LinkReader extends Pick<Context, 'engine' | 'clientId'> {
  readonly find: RecordReader['find']
}

/** Returns the link that is printed on an invoice; `undefined` if it has none that works for long enough. */
async function findPayLink(c: LinkReader, invoiceId: number): Promise<string | undefined> {
  const soon = c.engine.clock.now().add({ hours: 24 * RENEWAL_DAYS })
  const { config } = c.engine
  const found = (await c.find(payLink, { invoice: invoiceId })).findLast(
    (one) => one.sealed !== null && Temporal.Instant.compare(Temporal.Instant.from(one.expiresAt), soon) > 0,
  )
  const secret = found?.sealed && openSealed(config, found.sealed, invoiceId)
  return found && secret ? secretLinkUrl(config, PAGE, c.clientId, found.id, secret) : undefined
}

/** Returns a sealed secret; `undefined` if its key has been removed. */
function openSealed(config: Engine['config'], sealed: string, invoiceId: number): string | undefined {
  try {
    return secretSealerFor(config).open(sealed, sealedFor(invoiceId))
  } catch {
    return undefined
  }
}

/** Returns whether a client's customers can pay by card: card payments are accepted, and a payment service is set up. */
export async function canPayByCard(engine: Engine, clientId: number): Promise<boolean> {
  if (!(await canClientAcceptCards(engine, clientId))) return false
  return getPaymentGateway(engine).then(
    () => true,
    (e: unknown) => {
      if (e instanceof Problem && e.code === 'no_gateway') return false
      throw e
    },
  )
}

/** Returns whether something is due on an invoice. */
export const isPayable = ({ state, amountDue }: Pick<InvoiceRow, 'state' | 'amountDue'>): boolean =>
  state === 'open' && amountDue > 0

/** Adds a payment link, also as a QR code, to the printed invoice. */
export const withPaymentLink = (sheet: FinancialDocument, url: string | undefined): FinancialDocument =>
  url === undefined
    ? sheet
    : {
        ...sheet,
        payment: {
          url,
          qr: {
            base64: Buffer.from(encodeQR(url, 'gif', { ecc: 'medium', border: 2 })).toString('base64'),
            alt: `QR code that opens the page to pay ${sheet.number}`,
          },
        },
      }

/** Adds an invoice's payment link to its document if the invoice has a link and can be paid by card. Writes nothing. */
export async function addKnownPayLink(
  engine: Engine,
  clientId: number,
  row: Pick<InvoiceRow, 'id' | 'state' | 'amountDue'>,
  sheet: FinancialDocument,
): Promise<FinancialDocument> {
  if (!isPayable(row) || !(await canPayByCard(engine, clientId))) return sheet
  const url = await engine.readIn(clientId, 'print the payment link of an invoice', (c) =>
    findPayLink({ engine, clientId, find: (...what) => c.find(...what) }, row.id),
  )
  return withPaymentLink(sheet, url)
}
