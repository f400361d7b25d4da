import { isEmail } from '#kernel/email.ts'
import { iriOf } from '#kernel/resource.ts'
import { emailRequested } from '#modules/portal/mail/letter.ts'
import type { Context } from '#server/engine/types.ts'
import { customer } from '../customers/customer.ts'
import { buyerOf } from '../invoices/buyer.server.ts'
import { invoice } from '../invoices/invoice.ts'
import { invoiceFactsOf } from '../invoices/letters.server.ts'
import type { InvoiceRow } from '../invoices/lines.server.ts'
import type { InvoiceFacts } from '../invoices/mail.ts'
import { invoicePaySecretLink } from '../pay-links/link.server.ts'
import { customerMailSender } from '../print/sender.server.ts'
import { type DunningStepKind, dunning, dunningStep } from './dunning.ts'
import { DUNNING_REASON, type DunningRow, dunningSituationOf, nextDunningStep, todayOf } from './situation.server.ts'

interface Mail {
  readonly subject: string
  readonly body: string
}

/**
 * Queues an e-mail about an invoice to the customer's current invoice address; returns the address, or empty if none.
 */
export async function queueDunningMail(
  c: Context,
  owed: InvoiceRow,
  template: string,
  mail: (facts: InvoiceFacts) => Mail,
): Promise<string> {
  const of = await c.get(customer, owed.customer)
  const to = of ? (await buyerOf(c, of)).email : ''
  if (!isEmail(to)) return ''
  await c.emit(emailRequested, {
    to,
    ...mail(invoiceFactsOf(owed)),
    ...customerMailSender(c.clientId, owed.supplier),
    confidential: true,
    template,
    link: { kind: invoicePaySecretLink.kind, about: { invoice: owed.id } },
    about: iriOf(invoice, owed.id),
  })
  return to
}

export interface DunningStepInput {
  readonly kind: DunningStepKind
  readonly description: string
  readonly charge?: number
  readonly sentTo?: string
}

export const recordDunningStep = (
  c: Context,
  d: DunningRow,
  { kind, description, charge, sentTo = '' }: DunningStepInput,
): Promise<unknown> =>
  c.withoutPermissionCheck(DUNNING_REASON).create(dunningStep, {
    dunning: d.id,
    invoice: d.invoice,
    kind,
    day: todayOf(c),
    description: description.slice(0, 1000),
    charge: charge ?? null,
    sentTo,
  })

/** Updates the dunning record and its stored next step. */
export async function setDunning(
  c: Context,
  d: DunningRow,
  set: Partial<Omit<DunningRow, 'id' | 'clientId'>>,
  verb: string,
): Promise<DunningRow> {
  const right = c.withoutPermissionCheck(DUNNING_REASON)
  await right.set(dunning, d, set, verb)
  const now = await right.lock(dunning, d.id)
  const next = nextDunningStep(await dunningSituationOf(c, { id: d.invoice }))
  if (next.nextOn !== now.nextOn || next.nextStep !== now.nextStep) await right.set(dunning, now, next, verb)
  return right.lock(dunning, d.id)
}
