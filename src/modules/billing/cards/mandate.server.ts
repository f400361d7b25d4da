import { problem, violation } from '#kernel/errors.ts'
import type { RecordOf, RowOf } from '#kernel/resource.ts'
import { authorOf, createSystemActor } from '#kernel/roles.ts'
import type { Route } from '#server/engine/route.ts'
import { schedule } from '#server/engine/schedule.ts'
import type { Context, Engine } from '#server/engine/types.ts'
import { subListRoute } from '#server/http/list-route.ts'
import { customer } from '../customers/customer.ts'
import { PAYMENT_EVENTS_ROLE, STAFF_ROLE } from '../rights.ts'
import { digitsOf, findAccountNumberProblem, findSortCodeProblem } from './bank-account.ts'
import { type CardWriteContext, getOrCreateGatewayCustomerId, getPaymentGateway } from './card.server.ts'
import { mandate, mandateChanged, mandateSigned } from './mandate.ts'
import { GatewayError, type GatewayMandate, type GatewayMandateAcceptance } from './payment-gateway.server.ts'

/** Values of the Direct Debit form. */
export interface MandateInput {
  readonly holder: string
  readonly sortCode: string
  readonly accountNumber: string
  /** True if the person can authorise debits from this account alone. */
  readonly authorised: boolean
}

interface SignedFor {
  readonly customer: number
  readonly invoice: number
  readonly company: string
  readonly email: string
  readonly address: readonly string[]
  readonly serviceName: string
  readonly acceptance: GatewayMandateAcceptance
}

/** Minutes after which an instruction that has not reached the payment service is abandoned. */
const SIGNING_TIMEOUT_MINUTES = 10
const REASON = 'set up a direct debit'
const NOT_SET_UP = 'The payment service did not confirm the instruction.'

type MandateRow = RowOf<typeof mandate>

/**
 * Sets up a Direct Debit Instruction with the payment service. Throws 422 for values that can't be right or that the
 * service rejects, and 409 if the customer already has an instruction.
 */
export async function signMandate(asked: CardWriteContext, of: SignedFor, input: MandateInput): Promise<void> {
  const { engine, actor } = asked
  const gateway = await getPaymentGateway(engine)
  const holder = input.holder.trim()
  checkInput({ ...input, holder }, gateway.testSortCode)
  const at = await getOrCreateGatewayCustomerId(asked, of.customer)
  const account = digitsOf(input.accountNumber).padStart(8, '0')
  const begun = await engine.inTenant(actor.clientId, asked.change, async (c) => {
    await c.lock(customer, of.customer)
    await refuseSecond(c, of.customer)
    const made = await c.withoutPermissionCheck(REASON).create(mandate, {
      customer: of.customer,
      company: of.company,
      holder,
      last4: account.slice(-4),
      serviceName: of.serviceName,
      gateway: gateway.name,
      signedAt: c.now.toString(),
    })
    const row = await made.saved()
    return () => ({ id: row.id, key: row.key })
  })
  const { invoice, email, address, acceptance } = of
  const whose = { customer: at, holder, email, address, acceptance }
  const held = await gateway
    .signMandate({ ...whose, key: begun.key, sortCode: digitsOf(input.sortCode), account })
    .catch((e: unknown) => giveUp(asked, begun.id, e))
  const isLive = await engine.inTenant(actor.clientId, { actor, requestId: asked.requestId }, async (c) => {
    const row = await c.lock(mandate, begun.id)
    const { id: gatewayId, method: gatewayMethod, reference, bank } = held
    const named = await c.set(mandate, row, { gatewayId, gatewayMethod, reference, bank }, 'sign')
    if (row.state !== 'pending') return () => false
    await applyMandateState(c, await named.saved(), held)
    await c.emit(mandateSigned, { mandate: row.id, invoice })
    return () => true
  })
  if (isLive) return
  await gateway.cancelMandate(held.id, held.method)
  throw problem.conflict(
    'This Direct Debit has been cancelled in the meantime. Nothing will be collected.',
    'wrong_state',
  )
}

function checkInput({ holder, sortCode, accountNumber, authorised }: MandateInput, testSortCode?: string): void {
  const code = findSortCodeProblem(sortCode)
  const number = findAccountNumberProblem(accountNumber, sortCode, testSortCode)
  const wrong = [
    ...(holder ? [] : [violation('holder', 'Enter the name on the account', 'required')]),
    ...(code ? [violation('sortCode', code)] : []),
    ...(number ? [violation('accountNumber', number)] : []),
    ...(authorised
      ? []
      : [
          violation(
            'authorised',
            'If more than one person must authorise debits from this account, a Direct Debit can’t be set up here. Please pay another way',
          ),
        ]),
  ]
  if (wrong.length) throw problem.invalid(wrong)
}

/** Throws 409 if the customer has an instruction. One that never reached the payment service doesn't count. */
async function refuseSecond(c: Context, customerId: number): Promise<void> {
  const [known] = await c.lockAll(mandate, { customer: customerId, state: ['pending', 'active'] })
  if (!known) return
  const before = c.now.subtract({ minutes: SIGNING_TIMEOUT_MINUTES })
  if (known.gatewayId === null && Temporal.Instant.compare(Temporal.Instant.from(known.signedAt), before) < 0)
    return void (await (await endMandate(c, known, { state: 'failed', reason: NOT_SET_UP })).saved())
  throw problem.conflict(
    `A Direct Debit from the account ending ${known.last4} is already set up. To use another account, ask us to cancel it first.`,
    'already_there',
  )
}

/** Marks the instruction as refused, and throws the payment service's message. */
async function giveUp({ engine, actor, requestId }: CardWriteContext, id: number, e: unknown): Promise<never> {
  const reason = e instanceof GatewayError ? e.message : NOT_SET_UP
  await engine.inTenant(actor.clientId, { actor, requestId }, async (c) => {
    const row = await c.lock(mandate, id)
    if (row.state === 'pending') await endMandate(c, row, { state: 'failed', reason })
    return () => undefined
  })
  throw e
}

interface Ending {
  readonly state: 'cancelled' | 'failed'
  readonly reason: string
  readonly endedBy?: string
}

const endMandate = (c: Context, row: MandateRow, { state, reason, endedBy = '' }: Ending) =>
  c.set(mandate, row, { state, reason: reason.slice(0, 500), endedBy, endedAt: c.now.toString() }, 'end')

/**
 * Applies the payment service's state of an instruction. Idempotent and independent of the order of events: an ended
 * instruction never becomes active again.
 */
async function applyMandateState(c: Context, row: MandateRow, said: GatewayMandate): Promise<void> {
  if (row.state !== 'pending' && row.state !== 'active') return
  if (said.state === 'pending' || said.state === row.state) return
  if (said.state === 'active') await c.set(mandate, row, { state: 'active', activeAt: c.now.toString() }, 'activate')
  else await endMandate(c, row, { state: said.state, reason: said.reason })
  await c.emit(mandateChanged, { mandate: row.id })
}

/** Ends the instruction of a failed collection if its account can't be debited any more. */
export async function endFailedMandate(c: Context, id: number, reason: string): Promise<void> {
  const row = await c.lock(mandate, id)
  if (row.state !== 'pending' && row.state !== 'active') return
  await endMandate(c, row, { state: 'cancelled', reason })
  await c.emit(mandateChanged, { mandate: id })
}

/** Reads an instruction's state from the payment service and applies it. */
export async function syncMandate(engine: Engine, clientId: number, id: number): Promise<void> {
  const row = await engine.readIn(clientId, REASON, (c) => c.get(mandate, id))
  const gateway = await getPaymentGateway(engine)
  if (!row?.gatewayId || row.gateway !== gateway.name) return
  const said = await gateway.lookAtMandate(row.gatewayId)
  await engine.inTenant(
    clientId,
    { actor: createSystemActor(clientId, REASON), requestId: `mandate ${id}` },
    async (c) => {
      await applyMandateState(c, await c.lock(mandate, id), said)
      return () => undefined
    },
  )
}

/** Finds an instruction of any client by the payment service's ID. */
export async function findMandateByGatewayId(engine: Engine, gateway: string, gatewayId: string) {
  const [found] = await engine.db.tx('system', (tx) =>
    tx.rows<{ client: number; id: number }>(
      'SELECT client_id::int AS client, id::int AS id FROM mandate WHERE gateway = $1 AND gateway_id = $2',
      [gateway, gatewayId],
    ),
  )
  return found
}

/** Queries instructions at the payment service each day, in case an event was lost. */
export const mandateSchedule = schedule({
  name: 'mandates-follow-up',
  every: { daily: '06:00' },
  run: async (engine) => {
    const all = await engine.db.tx('system', (tx) =>
      tx.rows<{ client: number; id: number }>(
        "SELECT client_id::int AS client, id::int AS id FROM mandate WHERE state IN ('pending', 'active') AND gateway_id IS NOT NULL ORDER BY client_id, id",
      ),
    )
    for (const { client, id } of all)
      await syncMandate(engine, client, id).catch((e: unknown) => {
        // The next run repeats the query.
        if (!(e instanceof GatewayError)) throw e
      })
  },
})

/** Cancels an instruction with the payment service. A payment in progress is still collected. */
async function cancelMandate(asked: CardWriteContext, id: number): Promise<RecordOf<typeof mandate>> {
  const { engine, actor } = asked
  const seen = await engine.one(mandate, actor, id)
  if (seen.state === 'cancelled' || seen.state === 'failed')
    throw problem.conflict('This Direct Debit has already ended.', 'wrong_state')
  const row = await engine.readIn(actor.clientId, REASON, (c) => c.get(mandate, id))
  const gateway = await getPaymentGateway(engine)
  if (row?.gatewayId && row.gateway === gateway.name)
    await gateway.cancelMandate(row.gatewayId, row.gatewayMethod ?? '')
  return engine.inTenant(actor.clientId, asked.change, async (c) => {
    const now = await c.lock(mandate, id)
    if (now.state === 'pending' || now.state === 'active') {
      await endMandate(c, now, { state: 'cancelled', reason: 'Cancelled by us.', endedBy: authorOf(c.actor).username })
      await c.emit(mandateChanged, { mandate: id })
    }
    return () => engine.one(mandate, actor, id)
  })
}

export const mandateRoutes: readonly Route[] = [
  subListRoute({
    path: '/api/financial/customers/{id}/mandates',
    title: 'List a customer’s Direct Debit Instructions',
    of: customer,
    r: mandate,
    where: (id) => `t.customer_id = ${id}`,
    allow: [STAFF_ROLE, PAYMENT_EVENTS_ROLE],
  }),
  {
    method: 'POST',
    path: '/api/financial/mandates/{id}/cancel',
    title: 'Cancel a Direct Debit Instruction. A payment in progress is still collected',
    allow: PAYMENT_EVENTS_ROLE,
    refuses: [409],
    handle: async (c) =>
      cancelMandate(
        { engine: c.engine, actor: c.me, requestId: c.request.id, change: c.change() },
        await c.engine.idOf(mandate, c.actor, c.params.id),
      ),
  },
]
