import { z } from 'zod'
import { defineEvent } from '#kernel/event.ts'
import { choice, decimal, instant, link, text } from '#kernel/fields.ts'
import { CURRENCIES } from '#kernel/money.ts'
import { resource } from '#kernel/resource.ts'
import { contact } from '#modules/crm/contacts/contact.ts'
import { STAFF_ROLE } from '../rights.ts'

/** An insurance policy sold to a contact. The price is in pounds, as in the note on the sale. */
export const insuranceSale = resource({
  type: 'InsuranceSale',
  service: 'financial',
  path: 'insurance_sales',
  table: 'insurance_sale',
  tenant: 'own',
  order: ['-id'],
  fields: {
    contact: link(() => contact, { required: true, filter: true }),
    policyType: text({
      label: 'Policy',
      required: 'Please enter the type of policy sold',
      filter: 'partial',
      max: 100,
    }),
    price: decimal({ required: true, label: 'Price in pounds', min: 0, max: 1_000_000 }),
    currency: choice(CURRENCIES, { readonly: true, notNull: true }),
    author: text({ readonly: true, notNull: true, stamp: 'author' }),
    createdAt: instant({ readonly: true, notNull: true, order: true, filter: true }),
  },
  allow: { read: STAFF_ROLE, create: STAFF_ROLE },
})

/** Emitted when insurance is sold. Contains the ID of the sale and, if known, the ID of the seller. */
export const insuranceSold = defineEvent({
  kind: 'insurance.sold',
  version: 1,
  payload: z.object({ insurance: z.int(), seller: z.int().nullable() }),
})
