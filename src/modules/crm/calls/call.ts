import { flag, instant, integer, link, longText } from '#kernel/fields.ts'
import type { RowOf } from '#kernel/resource.ts'
import { resource } from '#kernel/resource.ts'
import { contact, VISIBLE_LEAD_ROW_RULES } from '../contacts/contact.ts'
import type { callOutcome } from '../outcomes/outcome.ts'
import { lastResult } from '../outcomes/outcome.ts'
import { staff } from '../staff/staff.ts'

export type OutcomeMeaning = RowOf<typeof callOutcome>['meaning']

/** Meanings of an outcome for the sale, with labels, best first. */
export const OUTCOME_MEANINGS: readonly { readonly way: OutcomeMeaning; readonly label: string }[] = [
  { way: 'forward', label: 'Progressed' },
  { way: 'later', label: 'Later' },
  { way: 'away', label: 'Lost' },
]

/** Fields for the date and lead of a note, shared by the resources that read the notes table. */
export const noteDateAndLeadFields = {
  createdAt: instant({ column: 'timestamp', readonly: true, notNull: true, filter: true, order: true, label: 'Date' }),
  contact: link(() => contact, {
    required: true,
    readonly: true,
    filter: true,
    embed: ['companyName', 'name'],
    label: 'Lead',
  }),
} as const

/** Calls, which are the notes that record an outcome. */
export const recordedCall = resource({
  type: 'Call',
  service: 'crm',
  path: 'calls',
  table: 'note',
  only: { call: 'true' },
  tenant: 'own',
  order: ['-createdAt'],
  fields: {
    ...noteDateAndLeadFields,
    user: link(() => staff, { readonly: true, filter: true, embed: ['username', 'name'], label: 'Caller' }),
    lastResult: link(() => lastResult, {
      readonly: true,
      filter: true,
      embed: ['text', 'category'],
      label: 'Outcome',
    }),
    /** ID of the lead's source. */
    cameFrom: integer({
      readonly: true,
      filter: true,
      label: 'Lead source',
      sql: '(SELECT l.came_from_id FROM contact l WHERE l.client_id = t.client_id AND l.id = t.contact_id)',
    }),
    minutes: integer({ readonly: true, notNull: true }),
    notes: longText({ readonly: true, notNull: true, filter: 'partial' }),
    retired: flag({ readonly: true, filter: true }),
  },
  allow: { read: 'ROLE_STAFF', rows: VISIBLE_LEAD_ROW_RULES },
})
