import { instant, link, text } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'
import { invoice } from '../invoices/invoice.ts'

/** Payment link of an invoice, with a hash of its secret. Internal to the portal. */
export const payLink = resource({
  type: 'PayLink',
  service: 'financial',
  path: 'pay_links',
  table: 'pay_link',
  tenant: 'own',
  fields: {
    invoice: link(() => invoice, { required: true, notNull: true }),
    hash: text({ required: true, visible: 'nobody' }),
    expiresAt: instant({ required: true, notNull: true }),
  },
  allow: { read: 'nobody' },
})
