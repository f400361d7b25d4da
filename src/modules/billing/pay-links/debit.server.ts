import { problem } from '#kernel/errors.ts'
import type { Engine } from '#server/engine/types.ts'
import type { CardWriteContext } from '../cards/card.server.ts'
import { type MandateInput, signMandate } from '../cards/mandate.server.ts'
import { mandate } from '../cards/mandate.ts'
import type { GatewayMandateAcceptance } from '../cards/payment-gateway.server.ts'
import { dunning } from '../dunning/dunning.ts'
import { dunningSettings } from '../dunning/plan.ts'
import type { InvoiceRow } from '../invoices/lines.server.ts'
import { charge, paymentSettings } from '../payments/charge.ts'
import type { PaymentPageData } from './payment-page.ts'

/** Number of a customer's accounts refused by banks within an hour at which further attempts are rejected. */
const REFUSED_ACCOUNTS = 10

/** Returns the Direct Debit that an invoice's customer has, or can set up. Bacs collects sterling only. */
export const debitOf = (
  engine: Engine,
  clientId: number,
  owed: InvoiceRow,
): Promise<Pick<PaymentPageData, 'debit' | 'mandate'>> =>
  engine.readIn(clientId, 'open a payment link', async (c) => {
    const known = await c.find(mandate, { customer: owed.customer, state: ['pending', 'active'] })
    const held = known.find(({ gatewayId }) => gatewayId !== null)
    const [collected] = await c.find(dunning, { invoice: owed.id })
    const underWay = await c.exists(charge, { invoice: owed.id, state: 'pending', method: 'debit' })
    const serviceName = (await c.find(paymentSettings, {}))[0]?.debitName ?? ''
    const noticeDays = (await c.find(dunningSettings, {}))[0]?.noticeDays ?? 10
    return {
      debit:
        serviceName && !held && owed.currency === 'GBP' && owed.state === 'open' ? { serviceName, noticeDays } : null,
      mandate: held
        ? {
            last4: held.last4,
            state: held.state === 'active' ? 'active' : 'pending',
            serviceName: held.serviceName,
            reference: held.reference,
            signedAt: held.signedAt,
            collectOn: collected?.mandate === held.id ? collected.collectOn : null,
            isCollecting: underWay,
          }
        : null,
    }
  })

interface Signing {
  /** Direct Debit that the payment page offers; null if none can be set up. */
  readonly debit: PaymentPageData['debit']
  readonly acceptance: GatewayMandateAcceptance
  readonly input: MandateInput
}

/** Sets up a Direct Debit for an invoice's customer. Throws 409 for an invoice that can't be paid by Direct Debit. */
export async function signOnPaymentPage(
  asked: CardWriteContext,
  owed: InvoiceRow,
  { debit, acceptance, input }: Signing,
): Promise<void> {
  const { engine, actor } = asked
  if (owed.state !== 'open') throw problem.conflict('Nothing is due on this invoice.', 'wrong_state')
  const held = await findLiveMandate(engine, actor.clientId, owed.customer)
  if (!debit && !held) throw problem.conflict('Direct Debit is not available for this invoice.', 'no_gateway')
  await refuseGuessing(engine, actor.clientId, owed.customer)
  await signMandate(
    asked,
    {
      customer: owed.customer,
      invoice: owed.id,
      company: owed.company,
      email: owed.buyer?.email ?? '',
      address: owed.buyer?.address ?? [],
      serviceName: debit?.serviceName ?? held?.serviceName ?? '',
      acceptance,
    },
    input,
  )
}

const findLiveMandate = (engine: Engine, clientId: number, customerId: number) =>
  engine.readIn(clientId, 'open a payment link', async (c) => {
    const [held] = await c.find(mandate, { customer: customerId, state: ['pending', 'active'] })
    return held
  })

/** Throws 429 if banks have refused too many accounts of a customer in the last hour. */
async function refuseGuessing(engine: Engine, clientId: number, customerId: number): Promise<void> {
  const since = engine.clock.now().subtract({ hours: 1 })
  const failed = await engine.readIn(clientId, 'open a payment link', (c) =>
    c.find(mandate, { customer: customerId, state: 'failed' }),
  )
  const lately = failed.filter((one) => Temporal.Instant.compare(Temporal.Instant.from(one.signedAt), since) > 0)
  if (lately.length >= REFUSED_ACCOUNTS) throw problem.tooMany(3600)
}
