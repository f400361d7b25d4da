import { PROVIDER_CLIENT_ID } from '#kernel/roles.ts'
import { settleAll } from '#kernel/settle-all.ts'
import { client, placeOfRegistration } from '#modules/portal/clients/client.ts'
import { formatClientAddress, readLetterhead, readLogo } from '#modules/portal/letterhead/letterhead.server.ts'
import { consumeRecipientAllowance } from '#modules/portal/mail/claim.server.ts'
import type { EmailRequest } from '#modules/portal/mail/letter.ts'
import { RouteResponse } from '#server/engine/route.ts'
import type { Context, Engine, RecordReader } from '#server/engine/types.ts'
import { renderPdf } from '#server/pdf/render.ts'
import { checkVatNumber } from '#server/vat-number.ts'
import { type InvoiceSettingsValues, loadInvoiceSettings } from '../client-invoicing/invoice-settings.server.ts'
import { findMissingAddressParts } from '../customers/customer.ts'
import type { FinancialDocument } from './financial-document.ts'
import { type PdfLimiter, readCachedOrRenderPdf } from './pdf.server.ts'
import type { BankAccount, Supplier } from './quote-document.ts'

/**
 * Returns the sender of e-mails to customers. The provider's e-mails come from the portal; a client's e-mails have the
 * client's own name and reply address.
 */
export const customerMailSender = (clientId: number, supplier: Supplier | null): Pick<EmailRequest, 'from'> =>
  clientId === PROVIDER_CLIENT_ID || !supplier?.name ? {} : { from: { name: supplier.name, replyTo: supplier.email } }

/**
 * Counts an e-mail towards the client's daily limit, and throws 429 if the limit is exceeded. E-mails sent by the
 * provider or by the portal itself are not counted.
 */
export async function countTowardsDailyMailLimit(c: Context, to: string | null | undefined): Promise<void> {
  if (to && c.clientId !== PROVIDER_CLIENT_ID && !c.actor.kind) await consumeRecipientAllowance(c, 1)
}

/** Ways to write the United Kingdom as a client's country, which is free text. */
const UK_NAMES = /^(|gb|uk|u\.k\.|(the )?united kingdom|great britain|england|scotland|wales|cymru|northern ireland)$/i

type Whose = Pick<Context, 'engine' | 'clientId'>

/** Returns the seller's details from the company record and the invoice settings. */
export async function loadSupplier(
  c: Pick<RecordReader, 'get' | 'find'>,
  { engine, clientId }: Whose,
): Promise<Supplier> {
  const [own, rules] = await settleAll(c.get(client, clientId), loadInvoiceSettings(c))
  const { fault: vatNumberFault } = await checkVatNumber(own?.vatNumber ?? '', 'GB')
  const registeredIn = placeOfRegistration(own?.registeredIn)
  const bank = bankOf(rules)
  const addressLacks = own ? findMissingAddressParts(own, UK_NAMES.test(own.country.trim()) ? 'GB' : own.country) : []
  return {
    name: rules.legalName || (clientId === PROVIDER_CLIENT_ID ? engine.config.provider : (own?.company ?? '')),
    address: own ? formatClientAddress(own) : '',
    ...(addressLacks.length ? { addressLacks } : {}),
    companyNumber: own?.regcompno ?? '',
    ...(registeredIn ? { registeredIn } : {}),
    ...(own?.registeredOffice ? { registeredOffice: own.registeredOffice } : {}),
    vatNumber: own?.vatNumber ?? '',
    ...(vatNumberFault ? { vatNumberFault } : {}),
    telephone: own?.contacttel ?? '',
    email: own?.contactemail ?? '',
    ...(bank ? { bank } : {}),
  }
}

/** Returns the bank details, or undefined if there is no account number or IBAN. */
function bankOf({
  accountName,
  bankName,
  sortCode,
  accountNumber,
  iban,
  bic,
}: InvoiceSettingsValues): BankAccount | undefined {
  return accountNumber || iban ? { accountName, bankName, sortCode, accountNumber, iban, bic } : undefined
}

const TEMPLATE = new URL('./sheet.typ', import.meta.url)

const titleOf = ({ kind, number, buyer }: FinancialDocument) =>
  [kind, number, buyer.name && `for ${buyer.name}`].filter(Boolean).join(' ')

/** Returns the print job for a document, without a logo. */
export const financialDocumentPdfJob = (sheet: FinancialDocument) => ({
  template: TEMPLATE,
  title: titleOf(sheet),
  data: { ...sheet, title: titleOf(sheet) },
})

/** Returns the PDF of a document. PDFs of issued documents are cached by content; others are rendered each time. */
export async function renderFinancialDocument(
  engine: Engine,
  client: number,
  sheet: FinancialDocument,
  kept: boolean,
  inTurn: PdfLimiter = (make) => make(),
): Promise<Buffer> {
  const logo = await readLogo(engine, await readLetterhead(engine, client))
  const job = financialDocumentPdfJob(sheet)
  const whole = { ...job, client, data: { ...job.data, ...(logo ? { logo } : {}) } }
  return kept ? readCachedOrRenderPdf(engine, whole, 'sheet', inTurn) : inTurn(() => renderPdf(whole))
}

/** Returns the file name, such as `INV-00012.pdf`. */
export const formatFinancialDocumentFileName = ({ kind, number }: FinancialDocument): string =>
  `${(number || kind).replaceAll(/[^\w-]+/g, '-')}.pdf`

export const createFinancialDocumentPdfResponse = async (
  engine: Engine,
  client: number,
  sheet: FinancialDocument,
  kept: boolean,
): Promise<RouteResponse> =>
  new RouteResponse(200, await renderFinancialDocument(engine, client, sheet, kept), {
    'content-type': 'application/pdf',
    'content-disposition': `inline; filename="${formatFinancialDocumentFileName(sheet)}"`,
  })
