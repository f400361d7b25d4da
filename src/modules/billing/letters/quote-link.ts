import { instant, integer, text } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'

/** The link that a customer was sent: which quote it leads to, and its secret as a hash. Nobody looks at it but the portal. */
export const quoteLink = resource({
  type: 'QuoteLink',
  service: 'financial',
  path: 'quote_links',
  table: 'quote_link',
  tenant: 'own',
  fields: {
    /** The quote's id: letters know nothing of quotes. */
    quote: integer({ required: true, notNull: true, column: 'quote_id' }),
    hash: text({ required: true, visible: 'nobody' }),
    expiresAt: instant({ required: true, notNull: true }),
  },
  allow: { read: 'nobody' },
})
