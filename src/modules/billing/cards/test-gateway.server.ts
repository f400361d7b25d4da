import { londonDate } from '#kernel/time.ts'
import type { Db } from '#server/db/db.ts'
import { portalTimeOf } from '#server/engine/clock.ts'
import {
  type CardEntryPurpose,
  GatewayError,
  type GatewayMandate,
  type PaymentGateway,
} from './payment-gateway.server.ts'
import {
  CHALLENGE_FAILED_MESSAGE,
  DEBIT_DAYS,
  passesLuhnCheck,
  TEST_ACCOUNTS,
  TEST_CARDS,
  TEST_SORT_CODE,
  type TestPaymentBehaviour,
} from './test-cards.ts'
import {
  afterDays,
  createTestPayments,
  findTestGatewayObjects,
  getTestGatewayObject,
  newTestGatewayRef,
  putTestObjectOnce,
  type StoredTestMandate,
  upsertTestGatewayObject,
} from './test-payments.server.ts'

/** A card as the gateway stores it, without the card number. */
interface StoredTestCard {
  readonly session: string
  readonly brand: string
  readonly last4: string
  readonly expMonth: number
  readonly expYear: number
  readonly declined?: string | undefined
  readonly challenge: 'none' | 'asked' | 'passed' | 'failed'
  readonly paying?: TestPaymentBehaviour | undefined
  readonly customer?: string | null
}

const HOUR = 3600_000
const NO_CARD = 'No such payment method. Please enter the card details again.'

interface Session {
  readonly customer: string
  readonly purpose: CardEntryPurpose
}

/** Returns the card entry session; undefined if there is none or it is an hour old. */
export async function findCardEntrySession(db: Db, name: string): Promise<Session | undefined> {
  const session = await getTestGatewayObject<Session>(db, 'session', name)
  return session && portalTimeOf(db).epochMilliseconds - Date.parse(session.created) < HOUR ? session : undefined
}

export interface CardFormInput {
  readonly number: string
  readonly expiry: string
  readonly cvc: string
}

/** Stores an entered card under a token. Throws a GatewayError for invalid input. */
export async function tokeniseTestCard(
  db: Db,
  session: string,
  typed: CardFormInput,
): Promise<{ token: string; challenge: boolean }> {
  const number = typed.number.replace(/[\s-]/g, '')
  if (!passesLuhnCheck(number)) throw new GatewayError('Your card number is invalid.')
  const [, month, year] = /^\s*(\d{1,2})\s*\/\s*(?:20)?(\d{2})\s*$/.exec(typed.expiry) ?? []
  if (!month || Number(month) < 1 || Number(month) > 12)
    throw new GatewayError("Your card's expiry date is incomplete. Enter it as MM/YY.")
  if (!/^\d{3,4}$/.test(typed.cvc.trim())) throw new GatewayError("Your card's security code is incomplete.")
  const known = TEST_CARDS.find((c) => c.number === number)
  if (!known)
    throw new GatewayError(
      'Your card was declined. The test payment service accepts test cards only. Use one from the list.',
    )
  const token = newTestGatewayRef('pm')
  const kept: StoredTestCard = {
    session,
    brand: known.brand,
    last4: number.slice(-4),
    expMonth: Number(month),
    expYear: 2000 + Number(year),
    declined: known.declined,
    paying: known.paying,
    challenge: known.challenge ? 'asked' : 'none',
  }
  await upsertTestGatewayObject(db, 'card', token, kept)
  return { token, challenge: known.challenge === true }
}

/**
 * Records whether the cardholder passed their bank's check. Throws a GatewayError if they failed it, or if no check of
 * this card is pending in the session.
 */
export async function recordChallengeResult(db: Db, session: string, token: string, passed: boolean): Promise<void> {
  const card = await getTestGatewayObject<StoredTestCard>(db, 'card', token)
  if (card?.session !== session || card.challenge !== 'asked') throw new GatewayError(NO_CARD)
  await upsertTestGatewayObject(db, 'card', token, { challenge: passed ? 'passed' : 'failed' })
  if (!passed) throw new GatewayError(CHALLENGE_FAILED_MESSAGE)
}

const toMandate = (name: string, { state, reason }: Pick<StoredTestMandate, 'state' | 'reason'>): GatewayMandate => ({
  id: name,
  method: name,
  reference: name.slice(-8).toUpperCase(),
  bank: 'Test Bank',
  state,
  reason,
})

const createTestMandates = (
  db: Db,
): Pick<PaymentGateway, 'testSortCode' | 'signMandate' | 'lookAtMandate' | 'cancelMandate'> => ({
  testSortCode: TEST_SORT_CODE,
  signMandate: async ({ key, customer, sortCode, account: number }) => {
    const account =
      sortCode === TEST_SORT_CODE ? TEST_ACCOUNTS.find((one) => one.number === number) : { number: '', title: 'Pays' }
    if (!account) throw new GatewayError('The test payment service has no such account. Use one of its test accounts.')
    const { number: _, ...behaviour } = account
    const signed = { state: 'pending', reason: '' } as const
    const due = afterDays(db, DEBIT_DAYS.accept)
    return toMandate(
      await putTestObjectOnce(db, 'mandate', { key, customer, account: behaviour, ...signed, due }),
      signed,
    )
  },
  lookAtMandate: async (name) => {
    const found = await getTestGatewayObject<StoredTestMandate>(db, 'mandate', name)
    if (!found) throw new GatewayError('No such mandate.')
    return toMandate(name, found)
  },
  cancelMandate: async (name) => {
    const found = await getTestGatewayObject<StoredTestMandate>(db, 'mandate', name)
    if (found && found.state !== 'failed')
      await upsertTestGatewayObject(db, 'mandate', name, { state: 'cancelled', due: null })
  },
})

/** Creates the built-in payment service for testing, which takes test cards and moves no money. */
export const createTestGateway = (db: Db): PaymentGateway => ({
  name: 'test',
  ...createTestPayments(db),
  ...createTestMandates(db),
  customer: async ({ id }) => `cus_test_${id}`,
  setUpCard: async (customer, purpose) => {
    const name = newTestGatewayRef('seti')
    await upsertTestGatewayObject(db, 'session', name, { customer, purpose } satisfies Session)
    return { gateway: 'test', url: `/pay/test/${name}` }
  },
  attach: async (customer, token) => {
    const card = await getTestGatewayObject<StoredTestCard>(db, 'card', token)
    if (!card) throw new GatewayError(NO_CARD)
    if (card.customer) {
      if (card.customer === customer) return toGatewayCard(token, card)
      throw new GatewayError('This payment method belongs to another customer. Please enter the card details again.')
    }
    const session = await findCardEntrySession(db, card.session)
    if (session?.customer !== customer) throw new GatewayError(NO_CARD)
    if (card.challenge === 'asked' || card.challenge === 'failed') throw new GatewayError(CHALLENGE_FAILED_MESSAGE)
    const today = londonDate(portalTimeOf(db))
    const last = Temporal.PlainYearMonth.from({ year: card.expYear, month: card.expMonth })
    if (card.declined) throw new GatewayError(card.declined)
    if (Temporal.PlainYearMonth.compare(last, today.toPlainYearMonth()) < 0)
      throw new GatewayError('Your card has expired.')
    await upsertTestGatewayObject(db, 'card', token, { customer })
    return toGatewayCard(token, card)
  },
  detach: async (token) => {
    const card = await getTestGatewayObject<StoredTestCard>(db, 'card', token)
    if (!card?.customer) throw new GatewayError('The payment method is not attached to a customer.')
    await upsertTestGatewayObject(db, 'card', token, { customer: null, session: '' })
  },
  cards: async (customer) =>
    (await findTestGatewayObjects<StoredTestCard>(db, 'card', "data ->> 'customer'", customer)).map(
      ({ ref: id, data }) => toGatewayCard(id, data),
    ),
})

const toGatewayCard = (id: string, { brand, last4, expMonth, expYear }: StoredTestCard) => ({
  id,
  brand,
  last4,
  expMonth,
  expYear,
})
