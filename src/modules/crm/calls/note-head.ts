import { instant, link } from '#kernel/fields.ts'
import { contact } from '../contacts/contact.ts'

/** Date and lead of a note, for resources that read notes under another name. */
export const noteHeadFields = {
  createdAt: instant({ column: 'timestamp', readonly: true, notNull: true, filter: true, order: true, label: 'Date' }),
  contact: link(() => contact, {
    required: true,
    readonly: true,
    filter: true,
    embed: ['companyName', 'name'],
    label: 'Lead',
  }),
} as const
