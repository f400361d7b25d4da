import { flag, text } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'

/** Result of the last call with a lead, and the list that it puts the lead in. */
export const lastResult = resource({
  service: 'crm',
  tenant: 'shared',
  unpaginated: true,
  type: 'LastResult',
  path: 'last_results',
  table: 'last_result',
  title: 'text',
  order: ['id'],
  fields: {
    text: text({ required: true, order: true }),
    uri: text({ readonly: true }),
    category: text({ readonly: true, filter: true }),
    /** Meaning for the sale: forward, later, away (`callOutcome`). */
    meaning: text({ readonly: true, filter: true, default: 'later' }),
    retired: flag({ filter: true }),
  },
  allow: { read: 'ROLE_STAFF', create: 'ROLE_LEADS_ADMIN', update: 'ROLE_LEADS_ADMIN' },
})
