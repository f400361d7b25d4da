import { text } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'
import { BOOKS, SELL } from '#modules/billing/rights.ts'

/**
 * The customer that a lead has become, as leads know it: billing, which stands above them and declares customers, refers to leads
 * itself. A test holds the two to one another.
 */
export const customerOfLead = resource({
  type: 'Customer',
  service: 'financial',
  pack: BOOKS,
  path: 'customers',
  table: 'customer',
  tenant: 'own',
  title: 'companyName',
  fields: { companyName: text({ readonly: true, filter: 'partial', order: true }) },
  allow: { read: SELL },
})
