import { text } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'
import { INVOICING_PACK, SELLING_ROLES } from '#modules/billing/rights.ts'

/**
 * The customer that a lead has become, as known to leads. Billing declares customers and depends on leads, so this is a
 * copy; a test keeps both in step.
 */
export const customerOfLead = resource({
  type: 'Customer',
  service: 'financial',
  pack: INVOICING_PACK,
  path: 'customers',
  table: 'customer',
  tenant: 'own',
  title: 'companyName',
  fields: { companyName: text({ readonly: true, filter: 'partial', order: true }) },
  allow: { read: SELLING_ROLES },
})
