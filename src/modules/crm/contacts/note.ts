import { flag, instant, integer, json, link, longText, text } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'
import { lastResult } from '../outcomes/last-result.ts'
import { staff } from '../staff/staff.ts'
import { contact, OF_SEEN_LEADS } from './contact.ts'

/** What was said or done with a lead. The API calls notes "actions". */
export const note = resource({
  type: 'Note',
  service: 'crm',
  path: 'actions',
  table: 'note',
  tenant: 'own',
  order: ['-sticky', '-id'],
  fields: {
    contact: link(() => contact, { required: true, filter: true }),
    user: link(() => staff, { filter: true, embed: ['username', 'name'] }),
    author: text({ readonly: true }),
    /** What was typed, and what an outcome says of itself. */
    notes: longText({ default: '', filter: 'partial', max: 20_500 }),
    lastResult: link(() => lastResult, { filter: true, embed: ['text', 'category'] }),
    minutes: integer({ default: 0, min: 0, max: 1440 }),
    reason: text({ default: '' }),
    timestamp: instant({ readonly: true, notNull: true, filter: true, order: true }),
    sticky: flag({ filter: true, order: true }),
    retired: flag({ filter: true }),
    /** The record that it is about, as the API names it; empty for none. */
    about: text({ readonly: true, default: '', filter: true }),
    /** Nobody wrote it: what a customer has decided, or the clock. */
    automatic: flag({ readonly: true }),
    /** It tells of a call: its result is one that calls end with. */
    call: flag({ readonly: true, visible: 'nobody' }),
    /** What an outcome changed, as it was: to take it back. */
    before: json({ readonly: true, visible: 'nobody' }),
  },
  allow: { read: 'ROLE_STAFF', create: 'ROLE_STAFF', update: 'ROLE_STAFF', rows: OF_SEEN_LEADS },
})
