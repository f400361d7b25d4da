import { flag, json, link, longText, text, unixSeconds } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'
import { catalogue } from '../rights.ts'

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
    /** `{status, retired, hasLapsed}`; status 1 is active (specification, section 9). */
    appStatus: json({ default: { status: 1, retired: false, hasLapsed: false } }),
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
})
