import { choice, instant, integer, link, text } from '#kernel/fields.ts'
import { CURRENCIES } from '#kernel/money.ts'
import { resource } from '#kernel/resource.ts'
import { only } from '#kernel/row-rules.ts'
import { customer } from '../customers/customer.ts'
import { INVOICING_PACK, SELLING_ROLES } from '../rights.ts'
import { secondPersonActions } from '../second-person.ts'
import { quote } from './quote.ts'

const APPROVAL_STATES = [
  { value: 'waiting', label: 'Waiting for approval' },
  { value: 'approved', label: 'Approved' },
  { value: 'rejected', label: 'Declined' },
  { value: 'withdrawn', label: 'Withdrawn' },
] as const

const kept = { readonly: true, notNull: true } as const

/** Approval of a discount above the limit, for one quote as it was when requested; needed before sending. */
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
    /** Pence of the first payment before the discount, and the discount. */
    subtotal: integer({ ...kept, pence: true, label: 'Before discount' }),
    discount: integer({ ...kept, pence: true, filter: true }),
    currency: choice(CURRENCIES, { ...kept, filter: true }),
    /** `50% off every payment` */
    couponWords: text({ ...kept, default: '', label: 'Coupon' }),
    /** Fingerprint of what is approved: any other content needs a new approval. */
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
    ...secondPersonActions('author'),
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
