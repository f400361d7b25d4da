import type { Reference } from '#server/data/reference.ts'

const TERMS =
  '<p>Prices are in the currency shown. Plans are paid in advance for each period and go on until they are cancelled, with 30 days’ notice before a period ends. What is paid once is due when the quote is accepted.</p>'

/** The provider's own rules for quotes, to be changed where they don't fit. */
export const quoteReference: Reference = {
  name: 'quotes',
  edition: 1,
  load: async (tx) => {
    await tx.rows('INSERT INTO quote_settings (client_id, terms) VALUES (0, $1) ON CONFLICT (client_id) DO NOTHING', [
      TERMS,
    ])
  },
}
