import { flag, link, text } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'
import { only } from '#kernel/row-rules.ts'
import { storedFileFields } from '#modules/portal/files/uploaded-document.ts'
import { contact, leadCustomer } from '../contacts/contact.ts'

/**
 * A file that belongs to a lead, accessible to everybody who may see the lead. Created by `POST
 * /api/crm/contacts/{id}/files`. The lead's customer and quotes show the same files. If a customer has no lead, the
 * file belongs to the customer until there is one.
 */
export const leadFile = resource({
  type: 'LeadFile',
  service: 'crm',
  path: 'files',
  table: 'lead_file',
  tenant: 'own',
  title: 'name',
  order: ['-id'],
  fields: {
    contact: link(() => contact, { readonly: true, filter: true, embed: ['companyName', 'name'] }),
    customer: link(() => leadCustomer, { readonly: true, filter: true, embed: ['companyName'] }),
    name: text({
      required: 'Please enter a name for this file',
      max: 255,
      stripInvisible: true,
      filter: 'partial',
      order: true,
    }),
    ...storedFileFields,
    retired: flag({ filter: true }),
  },
  allow: {
    read: 'ROLE_STAFF',
    update: 'ROLE_STAFF',
    rows: [{ unless: 'nobody', only: only.either(only.ofReadable('contact'), only.ofReadable('customer')) }],
  },
})
