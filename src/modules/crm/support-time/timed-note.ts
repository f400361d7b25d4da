import { flag, integer, link, longText } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'
import { noteDateAndLeadFields } from '../calls/call.ts'
import { VISIBLE_LEAD_ROW_RULES } from '../contacts/contact.ts'
import { lastResult } from '../outcomes/outcome.ts'
import { staff } from '../staff/staff.ts'

/** Notes that record minutes spent on a lead, or on the client that the lead has become. */
export const supportTimeEntry = resource({
  type: 'TimedNote',
  service: 'crm',
  path: 'timed_notes',
  table: 'note',
  tenant: 'own',
  order: ['-createdAt'],
  fields: {
    ...noteDateAndLeadFields,
    user: link(() => staff, { readonly: true, filter: true, embed: ['username', 'name'], label: 'Author' }),
    lastResult: link(() => lastResult, { readonly: true, filter: true, embed: ['text', 'category'], label: 'Result' }),
    minutes: integer({ readonly: true, notNull: true, filter: true, order: true }),
    notes: longText({ readonly: true, notNull: true, filter: 'partial', label: 'Notes' }),
    retired: flag({ readonly: true, filter: true }),
  },
  allow: { read: 'ROLE_STAFF', rows: VISIBLE_LEAD_ROW_RULES },
})

/** Returns the filters for the minutes in the last 12 months, used both for the totals and for the rows behind them. */
export const recentSupportTimeFilters = (today: Temporal.PlainDate): Readonly<Record<string, string>> => ({
  retired: 'false',
  'minutes[gt]': '0',
  'createdAt[after]': today.subtract({ months: 12 }).toString(),
})

export interface ClientSupportMinutes {
  readonly client: number
  readonly company: string
  readonly minutes: number
  readonly notes: number
  readonly leads: number
}

export const SUPPORT_MINUTES_URL = '/api/crm/support_minutes'
