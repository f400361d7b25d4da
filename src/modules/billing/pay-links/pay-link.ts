import { instant, link, text } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'
import { invoice } from '../invoices/invoice.ts'

/** The link by which a customer pays an invoice: its secret is kept as a hash. Nobody looks at it but the portal. */
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
