import { text } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'
import { BOOKS, SELL } from '#modules/billing/rights.ts'

/**
 * The customer that a lead has become, as known to leads. Billing declares customers and depends on leads, so this is a
 * copy; a test keeps both in step.
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
