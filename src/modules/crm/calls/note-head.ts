import { instant, link } from '#kernel/fields.ts'
import { contact } from '../contacts/contact.ts'

/** When something was said, and with which lead: of notes that are read as something else. */
export const noteHead = {
  createdAt: instant({ column: 'timestamp', readonly: true, notNull: true, filter: true, order: true, label: 'When' }),
  contact: link(() => contact, {
    required: true,
    readonly: true,
    filter: true,
    embed: ['companyName', 'name'],
    label: 'Lead',
  }),
} as const
