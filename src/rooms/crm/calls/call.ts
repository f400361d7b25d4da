import { flag, instant, integer, link, longText } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'
import { contact, OF_SEEN_LEADS } from '../contacts/contact.ts'
import { lastResult } from '../outcomes/last-result.ts'
import { staff } from '../staff/staff.ts'

/** The calls among the notes: those that an outcome has ended. */
export const callMade = resource({
  type: 'Call',
  service: 'crm',
  path: 'calls',
  table: 'note',
  only: { call: 'true' },
  tenant: 'own',
  order: ['-createdAt'],
  fields: {
    createdAt: instant({ column: 'timestamp', readonly: true, always: true, filter: true, order: true, label: 'When' }),
    contact: link(() => contact, {
      required: true,
      readonly: true,
      filter: true,
      embed: ['companyName', 'name'],
      label: 'Lead',
    }),
    user: link(() => staff, { readonly: true, filter: true, embed: ['username', 'name'], label: 'Who called' }),
    lastResult: link(() => lastResult, {
      readonly: true,
      filter: true,
      embed: ['text', 'category'],
      label: 'How it ended',
    }),
    minutes: integer({ readonly: true, always: true }),
    notes: longText({ readonly: true, always: true, filter: 'partial' }),
    retired: flag({ readonly: true, filter: true }),
  },
  allow: { read: 'ROLE_STAFF', rows: OF_SEEN_LEADS },
})
