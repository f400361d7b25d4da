import { instant, integer, text } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'

/** A link sent to a customer, with its quote and a hash of its secret. Internal to the portal. */
export const quoteLink = resource({
  type: 'QuoteLink',
  service: 'financial',
  path: 'quote_links',
  table: 'quote_link',
  tenant: 'own',
  fields: {
    /** Quote ID, not a relation: letters don't depend on quotes. */
    quote: integer({ required: true, notNull: true, column: 'quote_id' }),
    hash: text({ required: true, visible: 'nobody' }),
    expiresAt: instant({ required: true, notNull: true }),
  },
  allow: { read: 'nobody' },
})
