import { randomBytes } from 'node:crypto'
import { PROVIDER_CLIENT_ID } from '#kernel/roles.ts'
import type { Db } from '#server/db/db.ts'
import { portalTimeOf } from '#server/engine/clock.ts'
import { describeDebitFailure } from './mandate.ts'
import {
  GatewayError,
  type GatewayEvent,
  type GatewayMandate,
  type GatewayPaymentRequest,
  type GatewayPaymentState,
  type GatewayRefund,
  type GatewayRefundRequest,
  type PaymentGateway,
} from './payment-gateway.server.ts'
import {
  DEBIT_DAYS,
  DELAYED_PAYMENT_OUTCOME_DAYS,
  DISPUTE_DECISION_DAYS,
  type TestAccount,
  type TestPaymentBehaviour,
} from './test-cards.ts'

export const newTestGatewayRef = (kind: string): string => `${kind}_test_${randomBytes(16).toString('hex')}`

export async function upsertTestGatewayObject(db: Db, kind: string, name: string, data: unknown): Promise<void> {
  await db.tx('system', (tx) =>
    tx.rows(
      `INSERT INTO test_gateway (client_id, kind, ref, data) VALUES ($1, $2, $3, $4)
       ON CONFLICT (client_id, ref) DO UPDATE SET data = test_gateway.data || EXCLUDED.data`,
      [PROVIDER_CLIENT_ID, kind, name, JSON.stringify(data)],
    ),
  )
}

interface StoredTestObject<T> {
  readonly ref: string
  readonly data: T
  readonly created: string
}
/** Finds stored objects of one kind by a field, newest first. */
export const findTestGatewayObjects = <T>(
  db: Db,
  kind: string,
  where: string,
  value: string,
): Promise<StoredTestObject<T>[]> =>
  db.tx('system', (tx) =>
    tx.rows(
      `SELECT ref, data, to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS created FROM test_gateway
       WHERE client_id = $1 AND kind = $2 AND ${where} = $3 ORDER BY id DESC`,
      [PROVIDER_CLIENT_ID, kind, value],
    ),
  )

/** Finds stored objects of one kind whose delayed outcome is due. */
const findDueTestObjects = <T>(db: Db, kind: string): Promise<Pick<StoredTestObject<T>, 'ref' | 'data'>[]> =>
  db.tx('system', (tx) =>
    tx.rows(
      `SELECT ref, data FROM test_gateway
       WHERE client_id = $1 AND kind = $2 AND (data ->> 'due')::timestamptz <= $3::timestamptz ORDER BY id`,
      [PROVIDER_CLIENT_ID, kind, portalTimeOf(db).toString()],
    ),
  )

export async function getTestGatewayObject<T>(
  db: Db,
  kind: string,
  name: string,
): Promise<(T & { created: string }) | undefined> {
  const [found] = await findTestGatewayObjects<T>(db, kind, 'ref', name)
  return found && { ...found.data, created: found.created }
}

/**
 * Updates a stored object under a lock. `change` returns the fields to merge in (`put`) and the result to return
 * (`answer`). Returns undefined if there is no such object.
 */
const updateTestObject = <T, R>(
  db: Db,
  name: string,
  change: (data: T) => { readonly put?: Partial<T>; readonly answer: R },
): Promise<R | undefined> =>
  db.tx('system', async (tx) => {
    const [row] = await tx.rows<{ data: T }>(
      'SELECT data FROM test_gateway WHERE client_id = $1 AND ref = $2 FOR UPDATE',
      [PROVIDER_CLIENT_ID, name],
    )
    if (!row) return undefined
    const { put: more, answer } = change(row.data)
    if (more)
      await tx.rows('UPDATE test_gateway SET data = data || $3::jsonb WHERE client_id = $1 AND ref = $2', [
        PROVIDER_CLIENT_ID,
        name,
        JSON.stringify(more),
      ])
    return answer
  })

/** Stores an object once for each idempotency key, and returns the object's ID. */
export const putTestObjectOnce = <T extends { readonly key: string }>(db: Db, kind: string, data: T): Promise<string> =>
  db.tx('system', async (tx) => {
    const at = [PROVIDER_CLIENT_ID, kind, data.key]
    const known = () =>
      tx.rows<{ ref: string }>(
        "SELECT ref FROM test_gateway WHERE client_id = $1 AND kind = $2 AND data ->> 'key' = $3",
        at,
      )
    await tx.rows('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [data.key])
    const [before] = await known()
    if (before) return before.ref
    const name = newTestGatewayRef(kind)
    await tx.rows('INSERT INTO test_gateway (client_id, kind, ref, data) VALUES ($1, $2, $3, $4)', [
      PROVIDER_CLIENT_ID,
      kind,
      name,
      JSON.stringify(data),
    ])
    return name
  })

/** A payment as the test gateway stores it. `due` is the time at which its delayed outcome occurs. */
interface Paid extends GatewayPaymentRequest {
  readonly state: GatewayPaymentState
  readonly paying?: TestPaymentBehaviour | undefined
  readonly due?: string | null
  /** Test bank account of a direct debit. */
  readonly account?: Omit<TestAccount, 'number'> | undefined
  /** True once the bank has paid. */
  readonly isCleared?: boolean
}
/** A Direct Debit Instruction as the test gateway stores it, without the account number. */
export interface StoredTestMandate {
  readonly key: string
  readonly customer: string
  readonly account: Omit<TestAccount, 'number'>
  readonly state: GatewayMandate['state']
  readonly reason: string
  readonly due?: string | null
}
interface Refunded extends GatewayRefundRequest {
  readonly state: GatewayRefund['state']
  readonly becomes?: 'succeeded' | 'failed' | undefined
  readonly due?: string | null
}
interface Disputed {
  readonly key: string
  readonly payment: string
  readonly amount: number
  readonly state: 'open' | 'won' | 'lost'
  readonly becomes: 'won' | 'lost'
  readonly reason?: string
  readonly due?: string | null
}

const NO_PAYMENT = 'No such payment.'
const REFUND_FAILED = 'The bank returned the refund.'
const LATE = 'The bank has reversed the payment: insufficient funds.'

/** Returns the fee for an amount in pence: 1.5% plus 20p, which is typical of payment services. */
const feeOf = (amount: number): number => Math.round((amount * 15) / 1000) + 20

/** Fee for a dispute, in pence; returned if the dispute is won. */
const DISPUTE_FEE = 2000

/** Returns the portal's time after a number of days. */
export const afterDays = (db: Db, days: number): string =>
  portalTimeOf(db)
    .add({ hours: 24 * days })
    .toString()
const orThrow = <T>(found: T | undefined): T => {
  if (found === undefined) throw new GatewayError(NO_PAYMENT)
  return found
}

/** Creates the test gateway's payment functions; no real money moves. */
export const createTestPayments = (
  db: Db,
): Pick<PaymentGateway, 'order' | 'confirm' | 'cancel' | 'look' | 'refund'> => ({
  order: async (order) => {
    if (order.mandate !== undefined) return orderDebit(db, order.mandate, order)
    const card = await getTestGatewayObject<{ customer?: string | null; paying?: TestPaymentBehaviour }>(
      db,
      'card',
      order.card,
    )
    if (!card || card.customer !== order.customer)
      throw new GatewayError('This card is no longer saved for this customer. Please choose another.')
    const paid: Paid = { ...order, paying: card.paying, state: { state: 'ordered' } }
    return putTestObjectOnce(db, 'pi', paid)
  },
  confirm: async (payment) =>
    orThrow(
      await updateTestObject<Paid, GatewayPaymentState>(db, payment, ({ state, paying, amount, account }) => {
        if (state.state !== 'ordered') return { answer: state }
        if (account) return { put: { state: PENDING, due: afterDays(db, DEBIT_DAYS.pay) }, answer: PENDING }
        const next: GatewayPaymentState =
          paying && 'refused' in paying
            ? { state: 'failed', message: paying.refused, hard: paying.hard ?? false }
            : { state: 'succeeded', fee: feeOf(amount) }
        const comes = paying && 'later' in paying && /^(fails|is disputed)/.test(paying.later)
        return {
          put: { state: next, ...(comes ? { due: afterDays(db, DELAYED_PAYMENT_OUTCOME_DAYS) } : {}) },
          answer: next,
        }
      }),
    ),
  cancel: async (payment) =>
    orThrow(
      await updateTestObject<Paid, GatewayPaymentState>(db, payment, ({ state }) =>
        state.state === 'ordered'
          ? { put: { state: { state: 'cancelled' } }, answer: { state: 'cancelled' } }
          : { answer: state },
      ),
    ),
  look: async (payment) => {
    const { state } = orThrow(await getTestGatewayObject<Paid>(db, 'pi', payment))
    const [refunds, disputes] = await Promise.all([
      findTestGatewayObjects<Refunded>(db, 're', "data ->> 'payment'", payment),
      findTestGatewayObjects<Disputed>(db, 'dp', "data ->> 'payment'", payment),
    ])
    return {
      payment: state,
      refunds: refunds.map(({ ref: name, data }) => toRefund(name, data)).reverse(),
      disputes: disputes
        .map(({ ref: name, data: { amount, state: now, reason = 'fraudulent' } }) => ({
          ref: name,
          amount,
          reason,
          state: now,
          fee: now === 'won' ? 0 : DISPUTE_FEE,
        }))
        .reverse(),
    }
  },
  refund: async (order) => {
    const { amount, state, paying } = orThrow(await getTestGatewayObject<Paid>(db, 'pi', order.payment))
    const before = await findTestGatewayObjects<Refunded>(db, 're', "data ->> 'payment'", order.payment)
    const same = before.find(({ data }) => data.key === order.key)
    if (same) return toRefund(same.ref, same.data)
    const gone = before.reduce((sum, { data }) => sum + (data.state === 'failed' ? 0 : data.amount), 0)
    if (state.state !== 'succeeded' || gone + order.amount > amount)
      throw new GatewayError('The refund is more than the amount that can still be refunded for this payment.')
    const then = paying && 'later' in paying ? paying.later : undefined
    const becomes = then === 'refunds fail' ? 'failed' : then === 'refunds are slow' ? 'succeeded' : undefined
    const refunded: Refunded = {
      ...order,
      state: becomes === 'succeeded' ? 'pending' : 'succeeded',
      ...(becomes ? { becomes, due: afterDays(db, DELAYED_PAYMENT_OUTCOME_DAYS) } : {}),
    }
    return toRefund(await putTestObjectOnce(db, 're', refunded), refunded)
  },
})

const PENDING = { state: 'pending' } as const

/** Orders a collection. Throws a GatewayError unless the instruction is active. */
async function orderDebit(db: Db, name: string, order: GatewayPaymentRequest): Promise<string> {
  const held = await getTestGatewayObject<StoredTestMandate>(db, 'mandate', name)
  if (!held || held.customer !== order.customer) throw new GatewayError('No such mandate.')
  if (held.state !== 'active') throw new GatewayError('This Direct Debit Instruction is not active.')
  const paid: Paid = { ...order, account: held.account, state: { state: 'ordered' } }
  return putTestObjectOnce(db, 'pi', paid)
}

/** Returns the next state of an instruction that is due. */
function nextOfMandate({ state, account }: StoredTestMandate): Pick<StoredTestMandate, 'state' | 'reason'> {
  if (state === 'pending' && account.refused)
    return { state: 'failed', reason: describeDebitFailure(account.refused).message }
  if (state === 'pending') return { state: 'active', reason: '' }
  return { state: 'cancelled', reason: describeDebitFailure(account.cancelled).message }
}

/** Applies the due states of instructions and collections, with an event for each. */
async function emitDebitEvents(db: Db, tell: (event: GatewayEvent) => Promise<void>): Promise<void> {
  for (const { ref: name, data } of await findDueTestObjects<StoredTestMandate>(db, 'mandate')) {
    const next = nextOfMandate(data)
    await upsertTestGatewayObject(db, 'mandate', name, next)
    await tell(mandateEvent(name, next.state))
    const cancels = next.state === 'active' && data.account.cancelled !== undefined
    await upsertTestGatewayObject(db, 'mandate', name, { due: cancels ? afterDays(db, DEBIT_DAYS.cancel) : null })
  }
  for (const { ref: name, data } of await findDueTestObjects<Paid>(db, 'pi'))
    if (data.account) await clear(db, name, data, tell)
}

async function clear(
  db: Db,
  name: string,
  { account, amount, mandate = '', isCleared = false }: Paid,
  tell: (event: GatewayEvent) => Promise<void>,
): Promise<void> {
  if (isCleared) {
    // A claim under the Direct Debit Guarantee is decided when it is reported.
    const claimed: Disputed = {
      key: name,
      payment: name,
      amount,
      state: 'lost',
      becomes: 'lost',
      reason: 'indemnity claim',
    }
    await putTestObjectOnce(db, 'dp', claimed)
    await tell(event('dispute.lost', name, name))
    return upsertTestGatewayObject(db, 'pi', name, { due: null })
  }
  const failure = account?.fails === undefined ? undefined : describeDebitFailure(account.fails)
  const state: GatewayPaymentState = failure
    ? { state: 'failed', message: failure.message, hard: failure.ends }
    : { state: 'succeeded', fee: feeOf(amount) }
  await upsertTestGatewayObject(db, 'pi', name, { state })
  if (failure?.ends) {
    await upsertTestGatewayObject(db, 'mandate', mandate, { state: 'cancelled', reason: failure.message, due: null })
    await tell(mandateEvent(mandate, 'cancelled'))
  }
  await tell(event(`payment.${state.state}`, name, name))
  const due = account?.claims ? afterDays(db, DEBIT_DAYS.claim) : null
  await upsertTestGatewayObject(db, 'pi', name, { due, isCleared: true })
}

const mandateEvent = (name: string, state: string): GatewayEvent => ({
  id: `evt_${name}_${state}`,
  type: `mandate.${state}`,
  payment: undefined,
  mandate: name,
  payload: { type: `mandate.${state}`, mandate: name },
})

const toRefund = (name: string, { key, amount, state }: Refunded): GatewayRefund => ({
  ref: name,
  key,
  amount,
  state,
  message: state === 'failed' ? REFUND_FAILED : '',
})

/**
 * Applies delayed outcomes that are due and emits an event for each. Unacknowledged events are sent again unchanged.
 * These events are the test gateway's webhooks.
 */
export async function emitTestGatewayEvents(db: Db, tell: (event: GatewayEvent) => Promise<void>): Promise<void> {
  await emitDebitEvents(db, tell)
  for (const { ref: name, data } of await findDueTestObjects<Paid>(db, 'pi')) {
    if (data.account) continue
    const fails = data.paying && 'later' in data.paying && data.paying.later === 'fails'
    if (fails) await upsertTestGatewayObject(db, 'pi', name, { state: { state: 'failed', message: LATE, hard: false } })
    else await dispute(db, name, data)
    await tell(event(fails ? 'payment.failed' : 'dispute.created', name, name))
    await upsertTestGatewayObject(db, 'pi', name, { due: null })
  }
  for (const kind of ['re', 'dp'])
    for (const { ref: name, data } of await findDueTestObjects<Pick<Refunded, 'payment' | 'becomes'>>(db, kind)) {
      await upsertTestGatewayObject(db, kind, name, { state: data.becomes })
      await tell(event(`${kind === 're' ? 'refund' : 'dispute'}.${data.becomes}`, name, data.payment))
      await upsertTestGatewayObject(db, kind, name, { due: null })
    }
}

const dispute = (db: Db, payment: string, { amount, paying }: Paid): Promise<string> => {
  const becomes = paying && 'later' in paying && paying.later === 'is disputed and won' ? 'won' : 'lost'
  const made: Disputed = {
    key: payment,
    payment,
    amount,
    state: 'open',
    becomes,
    due: afterDays(db, DISPUTE_DECISION_DAYS),
  }
  return putTestObjectOnce(db, 'dp', made)
}

const event = (type: string, object: string, payment: string): GatewayEvent => ({
  id: `evt_${object}_${type}`,
  type,
  payment,
  payload: { type, object, payment },
})
