import { isEmail } from '#kernel/email.ts'
import { iriOf } from '#kernel/resource.ts'
import { letter } from '#modules/portal/mail/letter.ts'
import type { Context } from '#server/engine/types.ts'
import { customer } from '../customers/customer.ts'
import { buyerOf } from '../invoices/buyer.server.ts'
import { invoice } from '../invoices/invoice.ts'
import { factsOf } from '../invoices/letters.server.ts'
import type { InvoiceRow } from '../invoices/lines.server.ts'
import type { InvoiceFacts } from '../invoices/mail.ts'
import { payLinkInLetters } from '../pay-links/link.server.ts'
import { inNameOf } from '../print/sender.server.ts'
import { type DunningStepKind, dunning, dunningStep } from './dunning.ts'
import { type DunningRow, nextOf, situationOf, todayOf, WHY } from './situation.server.ts'

interface Mail {
  readonly subject: string
  readonly body: string
}

/**
 * Queues an e-mail about an invoice to the customer's current invoice address; returns the address, or empty if none.
 */
export async function write(
  c: Context,
  owed: InvoiceRow,
  template: string,
  mail: (facts: InvoiceFacts) => Mail,
): Promise<string> {
  const of = await c.get(customer, owed.customer)
  const to = of ? (await buyerOf(c, of)).email : ''
  if (!isEmail(to)) return ''
  await c.emit(letter, {
    to,
    ...mail(factsOf(owed)),
    ...inNameOf(c.clientId, owed.supplier),
    confidential: true,
    template,
    link: { kind: payLinkInLetters.kind, about: { invoice: owed.id } },
    about: iriOf(invoice, owed.id),
  })
  return to
}

export interface Noted {
  readonly kind: DunningStepKind
  readonly description: string
  readonly charge?: number
  readonly sentTo?: string
}

export const note = (c: Context, d: DunningRow, { kind, description, charge, sentTo = '' }: Noted): Promise<unknown> =>
  c.withoutPermissionCheck(WHY).create(dunningStep, {
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
  const right = c.withoutPermissionCheck(WHY)
  await right.set(dunning, d, set, verb)
  const now = await right.lock(dunning, d.id)
  const next = nextOf(await situationOf(c, { id: d.invoice }))
  if (next.nextOn !== now.nextOn || next.nextStep !== now.nextStep) await right.set(dunning, now, next, verb)
  return right.lock(dunning, d.id)
}
