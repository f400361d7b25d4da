import { createSystemActor } from '#kernel/roles.ts'
import type { Context, Engine } from '#server/engine/types.ts'
import type { GatewayPayment, GatewayRefund } from '../cards/payment-gateway.server.ts'
import { refund } from './charge.ts'
import {
  applyChargeState,
  applyRefundState,
  type ChargeRow,
  lockCharge,
  lockReturnable,
  settleDispute,
  settleDisputeFee,
} from './settle.server.ts'

/**
 * Applies the gateway's current state of a payment. Idempotent and independent of the order of events. The payment, the
 * refunds and the disputes each have a separate transaction, because database triggers update the charge before the
 * next one starts.
 */
export async function applyGatewayPayment(
  engine: Engine,
  clientId: number,
  id: number,
  said: GatewayPayment,
): Promise<void> {
  const actor = createSystemActor(clientId, 'apply the payment service’s result')
  const step = (work: (c: Context) => Promise<unknown>): Promise<void> =>
    engine.inTenant(clientId, { actor, requestId: `charge ${id}` }, async (c) => {
      await work(c)
      return () => undefined
    })
  await step(async (c) => applyChargeState(c, await lockReturnable(c, id), said.payment))
  for (const one of said.refunds) await step((c) => takeOverRefund(c, id, one))
  const last = said.disputes.at(-1)
  if (!last) return
  await step(async (c) => settleDispute(c, await lockReturnable(c, id), last))
  await step(async (c) => settleDisputeFee(c, await lockCharge(c, id), last.fee))
}

/**
 * Applies one refund reported by the gateway. A refund without a record here was issued directly in the
 * gateway. It is recorded unless it failed.
 */
async function takeOverRefund(c: Context, chargeId: number, said: GatewayRefund): Promise<void> {
  const ours = await c.find(refund, { charge: chargeId })
  const known = ours.find((one) => one.gatewayRef === said.ref || (said.key !== undefined && one.key === said.key))
  if (known) await applyRefundState(c, known.id, said)
  else if (said.state !== 'failed') await adopt(c, chargeId, said)
}

async function adopt(c: Context, chargeId: number, said: GatewayRefund): Promise<void> {
  const row = await lockCharge(c, chargeId)
  await freeAllowance(c, row, said.amount)
  const made = await c.withoutPermissionCheck('record a refund made directly with the payment service').create(refund, {
    charge: row.id,
    customer: row.customer,
    amount: said.amount,
    currency: row.currency,
    reason: 'Refunded directly with the payment service',
    gatewayRef: said.ref,
    state: 'pending',
  })
  const { id } = await made.saved()
  await applyRefundState(c, id, said)
}

/**
 * Ends refund requests that await approval, latest first, until the charge has enough left for a refund that the
 * payment service has already made.
 */
async function freeAllowance(c: Context, row: ChargeRow, amount: number): Promise<void> {
  let free = row.amount - row.amountRefunded - row.amountRefunding
  for (const one of (await c.lockAll(refund, { charge: row.id, state: 'waiting' })).toReversed()) {
    if (free >= amount) return
    await (await c.set(refund, one, { state: 'failed', failure: ALREADY }, 'fail')).saved()
    free += one.amount
  }
}
const ALREADY = 'This payment has already been refunded directly with the payment service.'
