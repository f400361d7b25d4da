import { flag, jsonOf, link, longText, text, unixSeconds } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'
import { catalogue, PROVIDES, STAFF } from '../rights.ts'

/** An application's status that is active (specification, section 9). */
const ACTIVE = 1

/** How the application behind a product stands (specification, section 3). */
export interface AppStatus {
  readonly status: number
  readonly retired: boolean
  readonly hasLapsed: boolean
}

/** What somebody sent as an application's status, or nothing where it is none. */
export function readAppStatus(value: unknown): AppStatus | undefined {
  const { status, retired = false, hasLapsed = false } = (value ?? {}) as Partial<Record<keyof AppStatus, unknown>>
  const isOne = Number.isInteger(status) && typeof retired === 'boolean' && typeof hasLapsed === 'boolean'
  return isOne ? { status: status as number, retired, hasLapsed } : undefined
}

/** May its plans and items be sold: is it on sale, and its application active? */
export function isOnSale({ retired, livemode, appStatus }: Selling): boolean {
  const app = readAppStatus(appStatus)
  return !retired && livemode && app !== undefined && app.status === ACTIVE && !app.retired && !app.hasLapsed
}
interface Selling {
  readonly retired: boolean
  readonly livemode: boolean
  readonly appStatus: AppStatus
}

/** Something the provider sells; its plans and SKUs say for how much. */
export const product = resource({
  ...catalogue,
  type: 'Product',
  path: 'products',
  table: 'product',
  title: 'name',
  order: ['created'],
  fields: {
    name: text({ required: 'Please give this product a name', filter: 'partial', order: true }),
    description: longText({ default: '' }),
    prodLegend: text({ default: '', label: 'Legend', help: 'A few words beside the name, on lists and quotes.' }),
    livemode: flag({ default: true, filter: true, label: 'On sale' }),
    appStatus: jsonOf<AppStatus>()({ default: { status: ACTIVE, retired: false, hasLapsed: false } }),
    created: unixSeconds({ readonly: true, column: 'created_at', order: true }),
    retired: flag({ filter: true }),
  },
})

/** A pack of the portal that comes with a product. */
export const billingApplication = resource({
  ...catalogue,
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
  allow: { read: STAFF, create: PROVIDES, update: PROVIDES },
})
