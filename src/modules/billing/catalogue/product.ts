import { flag, jsonOf, link, longText, text, unixSeconds } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'
import { BILLING_ADMIN_ROLE, catalogueOptions, STAFF_ROLE } from '../rights.ts'

/** Status of an active application (specification, section 9). */
const ACTIVE = 1

/** Status of the application behind a product (specification, section 3). */
export interface AppStatus {
  readonly status: number
  readonly retired: boolean
  readonly hasLapsed: boolean
}

/** Parses an application's status; undefined if invalid. */
export function parseAppStatus(value: unknown): AppStatus | undefined {
  const { status, retired = false, hasLapsed = false } = (value ?? {}) as Partial<Record<keyof AppStatus, unknown>>
  const isOne = Number.isInteger(status) && typeof retired === 'boolean' && typeof hasLapsed === 'boolean'
  return isOne ? { status: status as number, retired, hasLapsed } : undefined
}

/** True if the product's plans and items can be sold: it is on sale and its application is active. */
export function isOnSale({ retired, livemode, appStatus }: Selling): boolean {
  const app = parseAppStatus(appStatus)
  return !retired && livemode && app !== undefined && app.status === ACTIVE && !app.retired && !app.hasLapsed
}
interface Selling {
  readonly retired: boolean
  readonly livemode: boolean
  readonly appStatus: AppStatus
}

/** A product of the provider; its plans and SKUs hold the prices. */
export const product = resource({
  ...catalogueOptions,
  type: 'Product',
  path: 'products',
  table: 'product',
  title: 'name',
  order: ['created'],
  fields: {
    name: text({ required: 'Please give this product a name', filter: 'partial', order: true }),
    description: longText({ default: '' }),
    prodLegend: text({ default: '', label: 'Tagline', help: 'A few words shown beside the name on lists and quotes.' }),
    livemode: flag({ default: true, filter: true, label: 'On sale' }),
    appStatus: jsonOf<AppStatus>()({ default: { status: ACTIVE, retired: false, hasLapsed: false } }),
    created: unixSeconds({ readonly: true, column: 'created_at', order: true }),
    retired: flag({ filter: true }),
  },
})

/** A pack of the portal that is included with a product. */
export const billingApplication = resource({
  ...catalogueOptions,
  type: 'BillingApplication',
  path: 'applications',
  table: 'billing_application',
  title: 'name',
  order: ['name'],
  fields: {
    name: text({ required: 'Please give this application a name', filter: 'partial', order: true }),
    code: text({ default: '', filter: true, max: 50 }),
    product: link(() => product, { filter: true, embed: ['name'] }),
    retired: flag({ filter: true }),
  },
  allow: { read: STAFF_ROLE, create: BILLING_ADMIN_ROLE, update: BILLING_ADMIN_ROLE },
})
