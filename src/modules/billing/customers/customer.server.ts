import { FORBIDDEN_DURING_IMPERSONATION_MESSAGE } from '#kernel/can.ts'
import { problem, violation } from '#kernel/errors.ts'
import { flag, text } from '#kernel/fields.ts'
import { idFromResourceIri, parseId } from '#kernel/iri.ts'
import type { ValuesOf } from '#kernel/resource.ts'
import { idFromIri, type Resource } from '#kernel/resource.ts'
import type { Roles } from '#kernel/roles.ts'
import { authorOf, hasRole } from '#kernel/roles.ts'
import { isEmail } from '#kernel/validate.ts'
import { contact } from '#modules/crm/contacts/contact.ts'
import { addNoteToContact } from '#modules/crm/contacts/note.server.ts'
import { leadFile } from '#modules/crm/files/lead-file.ts'
import { ensureStaffRecordId } from '#modules/crm/staff/staff.server.ts'
import { client } from '#modules/portal/clients/client.ts'
import { areFieldValuesEqual } from '#server/data/difference.ts'
import type { RequestQuery } from '#server/data/filters.ts'
import { type BeforeSaveInput, behaviour } from '#server/engine/behaviour.ts'
import { feature } from '#server/engine/module.ts'
import { type Route, RouteResponse } from '#server/engine/route.ts'
import { routeWithInput } from '#server/engine/route-input.ts'
import type { Context, Engine } from '#server/engine/types.ts'
import { subListRoute } from '#server/http/list-route.ts'
import { resumeBatchJob, startBatchJob, stopBatchJob } from '#server/jobs/batch-job-control.ts'
import { vatNumberFields } from '#server/vat-number.ts'
import { requestFinanceApproval } from '../approvals/money-limit.server.ts'
import { card } from '../cards/card.ts'
import { coupon } from '../catalogue/coupon.ts'
import { describeCoupon } from '../catalogue/coupon-rules.ts'
import { loadInvoiceSettings } from '../client-invoicing/invoice-settings.server.ts'
import { MAX_PAYMENT_DAYS } from '../client-invoicing/invoice-settings.ts'
import { assignCoupon, removeCoupon } from '../coupons/coupons.server.ts'
import { BILLING_ADMIN_ROLE, INVOICING_PACK, PRICING_ROLES, SELLING_ROLES, STAFF_ROLE } from '../rights.ts'
import { requestStatementEmail } from '../statements/statement.server.ts'
import { customerBatch, customerBatchLine } from './batch.ts'
import {
  type BalanceAdjustmentInput,
  computeBalanceAfterChange,
  mustAskForBalance,
  recordBalanceChange,
  rejectFuturePaymentDate,
  requireFinanceRole,
} from './booking.server.ts'
import { balanceChange, type CustomerMetadata, customer, isSameMetadata, validateCustomerMetadata } from './customer.ts'
import {
  CLIENT_WITHOUT_CUSTOMER_SQL,
  completeCustomerBody,
  customerBatchJob,
  leadCustomerRecordsRoute,
} from './customer-from.server.ts'
import { insuranceSale, insuranceSold } from './insurance-sale.ts'

/** Creates a route that lists the records below another record, by default for selling roles. */
const under = (
  path: string,
  title: string,
  of: Resource,
  r: Resource,
  where: (id: string) => string,
  { usual = {}, allow = SELLING_ROLES }: { readonly usual?: RequestQuery; readonly allow?: Roles } = {},
): Route => subListRoute({ path, title, of, r, where, defaults: usual, allow })

const madeAnswer = (made: { readonly '@id': string }) => new RouteResponse(201, made, { location: made['@id'] })

const customerRoutes: readonly Route[] = [
  under(
    '/api/financial/customers/{id}/coupons',
    'Get a customer’s coupon',
    customer,
    coupon,
    (id) => `t.id = (SELECT c.coupon_id FROM customer c WHERE c.client_id = t.client_id AND c.id = ${id})`,
  ),
  under(
    '/api/financial/customers/{id}/cards',
    'List a customer’s active cards',
    customer,
    card,
    (id) => `t.customer_id = ${id}`,
    { usual: { retired: 'false' }, allow: STAFF_ROLE },
  ),
  under(
    '/api/crm/contacts/{id}/insurance_sales',
    'List the insurance policies sold to a contact, newest first',
    contact,
    insuranceSale,
    (id) => `t.contact_id = ${id}`,
    { allow: STAFF_ROLE },
  ),
  {
    method: 'GET',
    path: '/api/financial/coupons/detach/{id}',
    writesOnGet: true,
    title: 'Remove a customer’s coupon. The ID is the customer’s or, with ?customer=, the coupon’s',
    query: { customer: text({ help: 'Customer IRI or ID.' }) },
    allow: SELLING_ROLES,
    handle: async (c) => {
      const given = c.params.id
      const named = typeof c.query.customer === 'string' ? c.query.customer : undefined
      const at = named === undefined ? given : (idFromIri(customer, named) ?? named)
      const id = await c.engine.idOf(customer, c.actor, at)
      if (named !== undefined) {
        const { coupon: held } = await c.engine.one(customer, c.actor, id)
        if (held?.id !== parseId(given)) throw problem.conflict('This customer does not have that coupon.')
      }
      return c.engine.act(customer, 'detachCoupon', id, {}, c.change())
    },
  },
  {
    method: 'POST',
    path: '/api/financial/coupon',
    title: 'Create a coupon (the same as at /api/financial/coupons)',
    allow: PRICING_ROLES,
    handle: async (c) => madeAnswer(await c.engine.create(coupon, c.body, c.change(madeAnswer))),
  },
  {
    method: 'POST',
    path: '/api/financial/customers/from',
    title: 'Create a customer from a contact or a client',
    allow: STAFF_ROLE,
    handle: async (c) =>
      madeAnswer(
        await c.engine.create(customer, await completeCustomerBody(c.engine, c.me, c.body), c.change(madeAnswer)),
      ),
  },
]

const customerBatchBehaviour = behaviour(customerBatch, {
  actions: {
    stop: async (c) => {
      await stopBatchJob(c, c.row.id)
      return {}
    },
    resume: async (c) => {
      await resumeBatchJob(c, customerBatchJob, c.row.id)
      return {}
    },
  },
})

/** Counts the clients that a batch would process. */
const countClients = (engine: Engine, clientId: number): Promise<number> =>
  engine.db.tx('system', async (tx) => {
    const [row] = await tx.rows<{ n: number }>(
      `SELECT count(*)::int AS n FROM client c WHERE ${CLIENT_WITHOUT_CUSTOMER_SQL}`,
      [clientId],
    )
    return row?.n ?? 0
  })

const customerBatchRoutes: readonly Route[] = [
  routeWithInput(
    { dryRun: flag({ default: true }) },
    {
      method: 'POST',
      path: '/api/financial/customers/batch',
      title: 'Create a customer for every client that has none; with dryRun, only report the result',
      allow: BILLING_ADMIN_ROLE,
      handle: async (c) => {
        const { dryRun } = c.input
        const total = await countClients(c.engine, c.me.clientId)
        return c.engine.inTenant(c.me.clientId, c.change(), async (unit) => {
          const id = await startBatchJob(unit, customerBatchJob, { dryRun }, { total })
          return async () => {
            const made = await c.engine.one(customerBatch, c.me, id)
            return new RouteResponse(202, made, { location: made['@id'] })
          }
        })
      },
    },
  ),
]

/** Result code for the note on an insurance sale (specification, section 9). */
const INSURANCE_SOLD = 42

/** Formats a price in pounds, such as `120` or `120.50`; whole pounds have no pence. */
const inPounds = (price: number) => (Number.isInteger(price) ? `${price}` : price.toFixed(2))

const insuranceBehaviour = behaviour(insuranceSale, {
  beforeSave: ({ values: { price } }) => {
    if (typeof price === 'number' && !/^\d+(\.\d{1,2})?$/.test(`${price}`))
      throw problem.invalid([violation('price', 'Please enter pounds and pence, such as 120 or 120.50')])
  },
  afterSave: async (c) => {
    const { id, contact, policyType, price } = await c.written.saved()
    await addNoteToContact(c, contact, {
      notes: `Sold ${policyType} Insurance Policy for £${inPounds(price)}.`,
      lastResult: INSURANCE_SOLD,
    })
    await c.emit(insuranceSold, { insurance: id, seller: (await ensureStaffRecordId(c)) ?? null })
  },
})

const NO_ADDRESS = 'Please enter the e-mail address for quotes and invoices'

/** Result code for the note on a coupon change (specification, section 9). */
const COUPON_CHANGED = 41

/** Throws 403 if an actor who impersonates a user would send a customer's invoices and quotes to another address. */
function refuseRedirection({ actor, before, changes }: Context & BeforeSaveInput<typeof customer>): void {
  if (before && actor.original && (changes.email !== undefined || changes.invoiceEmail !== undefined))
    throw problem.forbidden(FORBIDDEN_DURING_IMPERSONATION_MESSAGE, 'in_person')
}

const customerBehaviour = behaviour(customer, {
  beforeSave: async (c) => {
    const { before, changes } = c
    if (changes.email !== undefined && !isEmail(changes.email)) throw problem.invalid([violation('email', NO_ADDRESS)])
    refuseRedirection(c)
    assertTermsAgreed(c)
    const metadata = metadataOf(c, before?.metadata)
    // Coupons are locked before the customer is written, so that two requests can't deadlock.
    const coupons = changes.coupon === undefined ? [] : [before?.coupon, changes.coupon].flatMap((id) => id ?? [])
    if (coupons.length) await c.lockAll(coupon, { id: coupons })
    const isStaff = hasRole(c.actor, STAFF_ROLE)
    const named = before || changes.contact || !isStaff ? undefined : await contactNamedIn(c, metadata ?? {})
    const account = before || changes.client || !isStaff ? undefined : await clientNamedIn(c, metadata ?? {})
    const contactId = named ?? changes.contact ?? null
    if (contactId !== null && contactId !== before?.contact) await assertNoCustomer(c, contactId)
    const booking = bookingIn(changes)
    if (booking) await mustAskForBalance(c, before?.id, booking, false)
    if (isOtherDay(before?.paymentReceivedDate, changes.paymentReceivedDate)) {
      requireFinanceRole(c)
      rejectFuturePaymentDate(c, changes.paymentReceivedDate)
    }
    if (before && changes.currency !== undefined && changes.currency !== before.currency && before.accountBalance !== 0)
      throw problem.invalid([violation('currency', 'The currency can change only while the account balance is zero')])
    return {
      metadata,
      ...(changes.vatNumber === undefined
        ? {}
        : await vatNumberFields(changes.vatNumber ?? '', c.values.country ?? 'GB', c.now)),
      ...(before || changes.paymentDays !== undefined
        ? {}
        : { paymentDays: (await loadInvoiceSettings(c)).paymentDays }),
      ...(named === undefined ? {} : { contact: named }),
      ...(account === undefined ? {} : { client: account }),
      ...(booking
        ? { accountBalance: await computeBalanceAfterChange(c, before, booking, SENT_AS) }
        : { accountBalanceChange: undefined, accountBalanceReason: undefined, keepBoth: undefined }),
    }
  },
  afterSave: async (c) => {
    const { before, changes, written } = c
    const booking = bookingIn(changes)
    if (booking) {
      const booked = await written.saved()
      await recordBalanceChange(c, booked, booking, booked.accountBalance)
    }
    if (changes.contact !== undefined) {
      const { id } = before ?? (await written.saved())
      if (before && before.contact !== null) await linkContact(c, before.contact, null)
      if (changes.contact !== null) await linkContact(c, changes.contact, id)
      if (before && changes.contact !== null) await giveFiles(c, id, changes.contact)
    }
    if (changes.coupon !== undefined) {
      const { id, currency } = await written.saved()
      if (before && before.coupon !== null) await removeCoupon(c, id, before.coupon)
      if (changes.coupon !== null) await assignCoupon(c, { id, currency }, changes.coupon)
    }
    if (before && before.contact !== null && changes.coupon !== undefined)
      await addNoteToContact(c, before.contact, {
        notes: `Coupon changed from ${await couponName(c, before.coupon)} to ${await couponName(c, changes.coupon)}.`,
        lastResult: COUPON_CHANGED,
      })
  },
  actions: {
    balance: async (c) => {
      const { row, input } = c
      const { change: amount, reason, paymentReceivedDate: received } = input
      if (!amount) throw problem.invalid([violation('change', 'Please enter an amount')])
      const booking = { amount, reason, received, keepBoth: input.keepBoth === true }
      if (await mustAskForBalance(c, row.id, booking, input.askApproval === true)) {
        await computeBalanceAfterChange(c, row, booking, { amount: 'change', reason: 'reason' })
        const { id, currency } = row
        const asked = { kind: 'balance', customer: id, invoice: null, amount: -amount, currency } as const
        await requestFinanceApproval(c, { ...asked, reason: reason ?? '' })
        return {}
      }
      const accountBalance = await computeBalanceAfterChange(c, row, booking, { amount: 'change', reason: 'reason' })
      await recordBalanceChange(c, row, booking, accountBalance)
      return { set: { accountBalance, ...(received ? { paymentReceivedDate: received } : {}) } }
    },
    sendStatement: async (c) => {
      await requestStatementEmail(c, c.row, c.input)
      return {}
    },
    detachCoupon: async (c) => {
      const { row } = c
      if (row.coupon === null) throw problem.conflict('This customer has no coupon to remove.')
      if (row.contact !== null)
        await addNoteToContact(c, row.contact, {
          notes: `Coupon changed from ${await couponName(c, row.coupon)} to no coupon.`,
          lastResult: COUPON_CHANGED,
        })
      await removeCoupon(c, row.id, row.coupon)
      return { set: { coupon: null } }
    },
  },
})

type Values = Readonly<ValuesOf<typeof customer>>

/** Throws 422 for payment terms of more than 60 days without a recorded agreement. */
function assertTermsAgreed({ changes, values }: { changes: Values; values: Values }): void {
  const isChanged = 'paymentDays' in changes || 'longTermsAgreed' in changes
  if (isChanged && (values.paymentDays ?? 0) > MAX_PAYMENT_DAYS && !values.longTermsAgreed?.trim())
    throw problem.invalid([
      violation(
        'paymentDays',
        `Payment terms of more than ${MAX_PAYMENT_DAYS} days need an agreement (Late Payment of Commercial Debts (Interest) Act 1998, section 4). Enter the agreement first, under “Agreement to more than ${MAX_PAYMENT_DAYS} days”`,
      ),
    ])
}

/** Returns the metadata to store, or `undefined` if it is unchanged. Callers can't set `createdBy`. */
function metadataOf({ changes, values, actor }: Context & { changes: Values; values: Values }, old?: CustomerMetadata) {
  if (old && !('metadata' in changes)) return undefined
  const wrong = validateCustomerMetadata(values.metadata ?? {})
  if (wrong.length) throw problem.invalid(wrong)
  const createdBy = old ? old.createdBy : authorOf(actor).username
  const { createdBy: _, ...given } = values.metadata ?? {}
  const next = createdBy === undefined ? given : { ...given, createdBy }
  return old && isSameMetadata(old, next) ? undefined : next
}

/** Returns the ID of the contact named in the metadata, for callers that send no link. */
async function contactNamedIn(c: Context, metadata: CustomerMetadata): Promise<number | undefined> {
  const given = metadata.contact_uri || (metadata.contact_id && `${contact.url}/${metadata.contact_id}`)
  if (!given) return undefined
  const id = idFromResourceIri(contact, given)
  if (id === undefined) throw problem.invalidIri(given)
  if (!(await c.get(contact, id))) throw problem.unknownTarget(given)
  return id
}

/**
 * Returns the ID of the client named in the metadata. Linking the customer to this client prevents a batch from
 * creating a second customer.
 */
async function clientNamedIn(c: Context, { client_id: given }: CustomerMetadata): Promise<number | undefined> {
  if (given === undefined || given === null || given === '') return undefined
  const id = parseId(String(given))
  if (id === undefined || !(await c.get(client, id))) throw problem.unknownTarget(`${client.url}/${given}`)
  return id
}

/**
 * Throws 422 if the contact is already a customer. If two people convert the same contact, the second gets this error
 * and nothing is duplicated.
 */
async function assertNoCustomer(c: Context, id: number): Promise<void> {
  await c.lockAll(contact, { id })
  const [other] = await c.find(customer, { contact: id, retired: false })
  if (other)
    throw problem.invalid([
      violation('contact', `This lead is already customer ${other.id}. Open that customer instead.`),
    ])
}

const linkContact = (c: Context, id: number, customerId: number | null) =>
  c.withoutPermissionCheck('link the contact to its customer').change(contact, id, { customer: customerId })

/** Moves a customer's files to the lead that the customer has been linked to. */
async function giveFiles(c: Context, customerId: number, lead: number): Promise<void> {
  for (const file of await c.lockAll(leadFile, { customer: customerId }))
    await c
      .withoutPermissionCheck('move a customer’s files to its new lead')
      .change(leadFile, file, { contact: lead, customer: null })
}

/**
 * Returns whether the date has changed. Compares instants instead of text, so a date that is sent back unchanged is not
 * treated as a change.
 */
const isOtherDay = (was: string | null | undefined, is: string | null | undefined): boolean =>
  is !== undefined && !areFieldValuesEqual(customer.fields.paymentReceivedDate, was, is)

const SENT_AS = { amount: 'accountBalanceChange', reason: 'accountBalanceReason' }

/** Returns the balance change in a customer's request body, if there is one. */
function bookingIn(sent: Values): BalanceAdjustmentInput | undefined {
  const { accountBalanceChange: amount, accountBalanceReason: reason, paymentReceivedDate: received } = sent
  return amount ? { amount, reason, received, keepBoth: sent.keepBoth === true } : undefined
}

async function couponName(c: Context, id: number | null): Promise<string> {
  const row = id === null ? undefined : await c.get(coupon, id)
  return row ? `${row.name} (${describeCoupon(row)})` : 'no coupon'
}

export const customers = feature({
  pack: INVOICING_PACK,
  resources: [customer, insuranceSale, customerBatch, customerBatchLine, balanceChange],
  behaviours: [customerBehaviour, insuranceBehaviour, customerBatchBehaviour],
  routes: [...customerRoutes, ...customerBatchRoutes, leadCustomerRecordsRoute],
  batchJobs: [customerBatchJob],
  seeds: () => import('./demo.server.ts'),
})
