import {
  choice,
  date,
  decimal,
  email,
  flag,
  instant,
  integer,
  json,
  link,
  longText,
  richText,
  rows,
  strings,
  text,
  typedJson,
  unixSeconds,
} from '#kernel/fields.ts'
import { CURRENCIES } from '#kernel/money.ts'
import { type Resource, type RowOf, resource, type ValuesOf } from '#kernel/resource.ts'
import { only } from '#kernel/row-rules.ts'
import { defineSequence } from '#kernel/sequence.ts'
import { MAX_SIGNATURE_POINTS, type SignatureValue } from '#kernel/signature.ts'
import { contact } from '#modules/crm/contacts/contact.ts'
import { staff } from '#modules/crm/staff/staff.ts'
import { coupon } from '../catalogue/coupon.ts'
import type { CouponTerms } from '../catalogue/coupon-rules.ts'
import { customer } from '../customers/customer.ts'
import { sendAgainInput } from '../emails/settings.ts'
import type { SavedQuoteTotals } from '../lines/line.ts'
import { pricedLineFields } from '../lines/line-vat.ts'
import type { UpcomingInvoices } from '../lines/lines.ts'
import type { QuoteState } from '../print/acceptance-state.ts'
import { QUOTE_STATES } from '../print/acceptance-state.ts'
import type { Supplier } from '../print/quote-document.ts'
import { FINANCE_ROLES, INVOICING_PACK, SELLING_ROLES } from '../rights.ts'
import { secondApproverActions } from '../second-person.ts'

/** Returns the number of a status: `open` → 2. */
export const quoteStatusId = (state: QuoteState): number => QUOTE_STATES.indexOf(state) + 1

/** Status of a quote. For example, `/api/financial/statuses/1` is a draft. */
export const quoteStatus = resource({
  type: 'Status',
  service: 'financial',
  path: 'statuses',
  table: 'quote_status',
  tenant: 'shared',
  title: 'name',
  order: ['id'],
  unpaginated: true,
  fields: { name: text({ readonly: true, filter: true, order: true }) },
  allow: { read: 'member' },
})

/** All revisions of a quote have its number; the reference also states the revision. */
export const quoteNumberSequence = defineSequence({
  name: 'quote',
  prefix: 'Q-',
  per: 'client',
  gapless: true,
  digits: 5,
})

export const quoteLine = resource({
  type: 'QuoteLine',
  service: 'financial',
  pack: INVOICING_PACK,
  path: 'quote_lines',
  table: 'quote_line',
  tenant: 'own',
  title: 'description',
  order: ['position'],
  fields: {
    quote: link((): Resource => quote, { required: true, filter: true }),
    ...pricedLineFields,
  },
  allow: { read: SELLING_ROLES },
})

/** A signature with its time and the IP address and browser of the person who signed. */
export interface RecordedSignature extends SignatureValue {
  readonly at: string
  readonly address: string
  readonly agent: string
  /** ID of the link used, its creator, and the address it was e-mailed to; empty if it was not e-mailed. */
  readonly link?: number
  readonly linkAuthor?: string
  readonly linkAddressee?: string
  /** SHA-256 of the signed quote, in hexadecimal. */
  readonly digest?: string
}

/** Payments to which a quote's own discount applies. */
export const DISCOUNT_DURATIONS = [
  { value: 'once', label: 'First payment' },
  { value: 'periods', label: 'Number of payments' },
  { value: 'forever', label: 'Every payment' },
] as const

const reason = longText({ required: 'Please enter a reason', max: 1000 })
const lines = (kind: string, label: string) => rows(() => quoteLine, { by: 'quote', only: { kind }, label })

/** An offer to a customer. A draft can be changed; once sent, a revision never changes. */
export const quote = resource({
  type: 'Quote',
  service: 'financial',
  pack: INVOICING_PACK,
  path: 'quotes',
  table: 'quote',
  tenant: 'own',
  title: 'reference',
  order: ['-id'],
  state: 'state',
  emails: 'id',
  fields: {
    reference: text({ readonly: true, notNull: true, filter: true, search: true, label: 'Quote' }),
    number: integer({ readonly: true, notNull: true, filter: true, order: true }),
    revision: integer({ readonly: true, notNull: true }),
    parent: link((): Resource => quote, { readonly: true, label: 'Revision of' }),
    replacedBy: link((): Resource => quote, { readonly: true }),
    customer: link(() => customer, {
      required: 'Please choose the customer',
      filter: true,
      embed: ['companyName', 'contactName', 'email'],
    }),
    /** The customer's contact, or the lead that becomes a customer when a new quote is saved. */
    contact: link(() => contact, { filter: true }),
    company: text({ default: '', search: true, order: true, filter: 'partial' }),
    coupon: link(() => coupon, { filter: true, embed: ['name'] }),
    /** Discount without a coupon: a percentage or an amount in pence, for the payments of `discountDuration`. */
    discountPercent: decimal({ min: 0, max: 100, label: 'Discount %' }),
    discountAmount: integer({ min: 0, max: 1_000_000_000, pence: true, label: 'Discount' }),
    discountDuration: choice(DISCOUNT_DURATIONS, { default: 'once', label: 'Discount applies to' }),
    discountPeriods: integer({ min: 1, max: 120, label: 'Number of payments' }),
    status: link(() => quoteStatus, { readonly: true, notNull: true, filter: true }),
    state: choice(QUOTE_STATES, { readonly: true, notNull: true, filter: true, order: true, count: true }),
    currency: choice(CURRENCIES, { default: 'GBP' }),
    taxPercent: decimal({
      required: 'Please enter the VAT percentage, or 0',
      default: 20,
      min: 0,
      max: 100,
      lenient: true,
      label: 'VAT %',
    }),
    /** Username of the owner. The IRI of a user or member of staff is also accepted. */
    ownedBy: text({ person: true, default: '', filter: true, label: 'Owner' }),
    owner: link(() => staff, { readonly: true, filter: true, embed: ['username', 'name', 'email', 'telephone'] }),
    createdBy: text({ readonly: true, notNull: true, stamp: 'author' }),
    /** Usernames of the people who entered or changed prices and discounts. They can't approve a discount. */
    pricedBy: strings({ readonly: true, notNull: true, default: [], omitFromLists: true, label: 'Priced by' }),
    plans: lines('plan', 'Plans'),
    skus: lines('sku', 'Items'),
    additionalItems: lines('additional', 'Custom lines'),
    billingCycleAnchor: unixSeconds({ lenient: true, label: 'Billing starts' }),
    prorate: flag({ default: true, label: 'Charge part periods pro rata' }),
    sendEmail: flag({ default: true, label: 'Send by e-mail' }),
    emailTo: email({ default: '', search: true, label: 'Send to' }),
    message: longText({ default: '', max: 5000, label: 'Message to the customer' }),
    expiresAt: instant({ filter: true, order: true, label: 'Valid until' }),
    terms: richText({ default: '' }),
    /** First payment in pence, including VAT. */
    total: integer({ readonly: true, notNull: true, order: true, pence: true }),
    /** Totals calculated by `lines/line.ts`, without lines. */
    totals: typedJson<SavedQuoteTotals>()({ readonly: true, notNull: true }),
    couponTerms: typedJson<CouponTerms>()({ readonly: true }),
    /** First invoices, if the quote were accepted on the day on which it was last saved or sent. */
    nextInvoices: typedJson<UpcomingInvoices>()({ readonly: true, omitFromLists: true }),
    supplier: typedJson<Supplier>()({ readonly: true, omitFromLists: true }),
    sentAt: instant({ readonly: true, filter: true, order: true }),
    /** Time at which the customer first opened the quote through the link; later visits are not recorded. */
    openedAt: instant({ readonly: true }),
    /** Times at which the e-mail was resent or a reminder was sent. */
    remindedAt: typedJson<readonly string[]>()({ readonly: true, omitFromLists: true }),
    decidedAt: instant({ readonly: true, filter: true, order: true }),
    decidedBy: text({ readonly: true, notNull: true }),
    reason: text({ readonly: true, notNull: true }),
    signature: typedJson<RecordedSignature>()({ readonly: true, omitFromLists: true }),
    /** Member of staff who took the acceptance by telephone. */
    takenBy: text({ readonly: true, notNull: true, default: '', person: true, label: 'Call taken by' }),
    /** Purchase order number that is printed on the customer's invoices. */
    poNumber: text({ readonly: true, notNull: true, default: '', label: 'Purchase order' }),
    /**
     * Time at which the first invoice and the subscriptions were created. An accepted quote without this time is
     * waiting to be converted.
     */
    billedAt: instant({ readonly: true, filter: true, order: true, label: 'Billed' }),
    /** Time at which the signed copy was e-mailed to the customer. */
    signedCopyAt: instant({ readonly: true }),
    createdAt: instant({ readonly: true, notNull: true, filter: true, order: true }),
    updatedAt: instant({ readonly: true, notNull: true, stamp: 'updated' }),
  },
  allow: {
    read: SELLING_ROLES,
    create: SELLING_ROLES,
    update: SELLING_ROLES,
    whileImpersonating: ['create', 'update'],
  },
  actions: {
    send: {
      path: 'send',
      title: 'Send the quote to the customer',
      allow: SELLING_ROLES,
      from: ['draft'],
      input: {
        emailTo: email(),
        message: longText({ max: 5000 }),
        expiresAt: instant(),
        /** Fingerprint from the preview (`GET {quote}/preview`). */
        fingerprint: text(),
      },
    },
    askApproval: {
      path: 'ask-approval',
      title: 'Request approval for the discount',
      allow: SELLING_ROLES,
      from: ['draft'],
      input: { reason: text({ required: 'Please enter a reason', max: 500, label: 'Reason' }) },
    },
    remind: {
      path: 'remind',
      title: 'Send the e-mail again',
      allow: SELLING_ROLES,
      from: ['open'],
      input: sendAgainInput,
    },
    link: {
      path: 'link',
      title: 'Create a link for the customer',
      allow: SELLING_ROLES,
      from: ['open'],
      input: {},
      secret: true,
    },
    revise: {
      path: 'revise',
      title: 'Make a new revision',
      whileImpersonating: true,
      allow: SELLING_ROLES,
      from: ['open', 'declined', 'expired'],
      input: {},
    },
    copy: {
      path: 'copy',
      title: 'Copy as new quote',
      whileImpersonating: true,
      allow: SELLING_ROLES,
      input: { customer: link(() => customer) },
    },
    extend: {
      path: 'extend',
      title: 'Extend the quote',
      allow: SELLING_ROLES,
      from: ['open', 'expired'],
      input: { until: date({ required: true }), reason },
    },
    opened: { path: 'opened', title: 'Record that the customer has opened the quote', allow: 'nobody', input: {} },
    accept: {
      path: 'accept',
      title: 'Accept and sign the quote',
      allow: 'nobody',
      input: {
        signature: json({ max: MAX_SIGNATURE_POINTS, required: 'Please sign, or type your name' }),
        address: text({ default: '' }),
        agent: longText({ default: '' }),
        /** ID of the link with which the quote is signed. */
        link: integer(),
      },
    },
    acceptByPhone: {
      path: 'accept-by-phone',
      title: 'Accept the quote for a customer by telephone',
      allow: SELLING_ROLES,
      from: ['open'],
      input: {
        name: text({
          required: 'Please enter the name of the person who accepted the quote',
          max: 255,
          label: 'Accepted by',
        }),
        poNumber: text({ default: '', max: 50, label: 'Purchase order number' }),
        takenBy: link(() => staff, { label: 'Call taken by', help: 'Defaults to you.' }),
      },
    },
    convert: {
      path: 'convert',
      title: 'Create the subscriptions and first invoice for an accepted quote that has none',
      allow: FINANCE_ROLES,
      from: ['accepted'],
      input: {
        start: date({ label: 'Billing starts', help: 'First day of the first period; defaults to today.' }),
        invoiced: flag({ default: false, label: 'The first period and all items have already been invoiced' }),
      },
    },
    decline: {
      path: 'decline',
      title: 'Decline the quote',
      allow: 'nobody',
      input: { reason: longText({ default: '', max: 1000 }), name: text({ default: '' }) },
    },
    expire: { path: 'expire', title: 'Record that the quote has expired', allow: 'nobody', input: {} },
    cancel: {
      path: 'cancel',
      title: 'Cancel the quote',
      allow: SELLING_ROLES,
      from: ['draft', 'open', 'expired'],
      input: { reason },
    },
  },
})

export type QuoteRow = RowOf<typeof quote>
export type QuoteValues = ValuesOf<typeof quote>

const APPROVAL_STATES = [
  { value: 'waiting', label: 'Awaiting approval' },
  { value: 'approved', label: 'Approved' },
  { value: 'rejected', label: 'Declined' },
  { value: 'withdrawn', label: 'Withdrawn' },
] as const

const kept = { readonly: true, notNull: true } as const

/**
 * Approval for a discount above the limit, for one version of a quote. A quote with such a discount can't be sent
 * without approval.
 */
export const discountApproval = resource({
  type: 'DiscountApproval',
  service: 'financial',
  pack: INVOICING_PACK,
  path: 'discount_approvals',
  table: 'discount_approval',
  tenant: 'own',
  order: ['-id'],
  state: 'state',
  fields: {
    quote: link(() => quote, { ...kept, filter: true, embed: ['reference', 'company', 'state'] }),
    customer: link(() => customer, { ...kept, filter: true, embed: ['companyName'] }),
    /**
     * A year's payments for the discounted lines, before any discount, and the total discount on them; both in pence.
     */
    subtotal: integer({ ...kept, pence: true, label: 'Amount before discount' }),
    discount: integer({ ...kept, pence: true, filter: true }),
    currency: choice(CURRENCIES, { ...kept, filter: true }),
    /** Description of the discounts, such as `50% off every payment, 10% off 2 lines`. */
    couponWords: text({ ...kept, default: '', label: 'Discounts' }),
    /** Fingerprint of the approved discount. If the discount changes, a new approval is needed. */
    print: text({ ...kept, visible: 'nobody' }),
    reason: text({ ...kept, max: 500 }),
    state: choice(APPROVAL_STATES, { ...kept, default: 'waiting', filter: true, count: true }),
    author: text({
      ...kept,
      column: 'created_by',
      stamp: 'author',
      default: '',
      person: true,
      filter: true,
      label: 'Requested by',
    }),
    decidedBy: text({ ...kept, default: '', person: true, label: 'Decided by' }),
    answer: text({ ...kept, default: '', max: 500 }),
    decidedAt: instant({ readonly: true, label: 'Decided' }),
    createdAt: instant({ ...kept, filter: true, label: 'Requested' }),
    updatedAt: instant({ ...kept, stamp: 'updated' }),
  },
  allow: { read: SELLING_ROLES },
  actions: {
    ...secondApproverActions('author'),
    withdraw: {
      path: 'withdraw',
      title: 'Withdraw',
      allow: SELLING_ROLES,
      from: ['waiting'],
      to: 'withdrawn',
      rows: [{ unless: 'nobody', only: only.mine('author') }],
      input: {},
    },
  },
})
