import { flag, instant, integer, json, link, longText, text } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'
import { lastResult } from '../outcomes/last-result.ts'
import { staff } from '../staff/staff.ts'
import { contact, OF_VISIBLE_LEADS } from './contact.ts'

/** An entry of a lead's timeline. The API calls notes "actions". */
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
    /** Text as typed, with the description of the outcome. */
    notes: longText({ default: '', filter: 'partial', max: 20_500 }),
    lastResult: link(() => lastResult, { filter: true, embed: ['text', 'category'] }),
    minutes: integer({ default: 0, min: 0, max: 1440 }),
    reason: text({ default: '' }),
    timestamp: instant({ readonly: true, notNull: true, filter: true, order: true }),
    sticky: flag({ filter: true, order: true }),
    retired: flag({ filter: true }),
    /** API URL of the record that the note is about; empty for none. */
    about: text({ readonly: true, default: '', filter: true }),
    /** Added automatically: a customer's decision or a scheduled event. */
    automatic: flag({ readonly: true }),
    /** The note records a call: its result is an outcome of calls. */
    call: flag({ readonly: true, visible: 'nobody' }),
    /** Previous values of what an outcome changed, for undo. */
    before: json({ readonly: true, visible: 'nobody' }),
  },
  allow: { read: 'ROLE_STAFF', create: 'ROLE_STAFF', update: 'ROLE_STAFF', rows: OF_VISIBLE_LEADS },
})
