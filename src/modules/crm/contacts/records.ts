import { email, flag, instant, integer, link, longText, phone, text } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'
import { lastResult } from '../outcomes/last-result.ts'
import { staff } from '../staff/staff.ts'
import { contact, OF_VISIBLE_LEADS } from './contact.ts'

const ofContact = {
  service: 'crm',
  tenant: 'own',
  order: ['-id'] as string[],
  allow: { read: 'ROLE_STAFF', create: 'ROLE_STAFF', update: 'ROLE_STAFF', rows: OF_VISIBLE_LEADS },
} as const

/** A deal made with a contact. */
export const sale = resource({
  ...ofContact,
  type: 'Sale',
  path: 'sales',
  table: 'sale',
  fields: {
    contact: link(() => contact, { required: true, filter: true }),
    user: link(() => staff, { filter: true, embed: ['username', 'name'] }),
    author: text({ readonly: true, default: '', person: true }),
    notes: longText({ default: '' }),
    lastResult: link(() => lastResult, { filter: true, embed: ['text', 'category'] }),
    reason: text({ default: '' }),
    minutes: integer({ default: 0, min: 0, max: 1440 }),
    timestamp: instant({ readonly: true, filter: true, order: true }),
    sticky: flag({ filter: true, order: true }),
    retired: flag({ filter: true }),
  },
})

/** A company or person that a contact has recommended. */
export const referral = resource({
  ...ofContact,
  type: 'Referral',
  path: 'referrals',
  table: 'referral',
  fields: {
    contact: link(() => contact, { required: true, filter: true }),
    name: text({ required: true }),
    companyName: text({ default: '' }),
    telephone: phone({ column: 'phone', default: '' }),
    email: email({ default: '' }),
    notes: longText({ default: '' }),
    timestamp: instant({ readonly: true }),
    retired: flag({ filter: true }),
  },
})

/** Whether support looks after a contact. A change adds an automatic note. */
export const supportedContact = resource({
  ...ofContact,
  type: 'Supported',
  path: 'supporteds',
  table: 'supported',
  fields: { contact: link(() => contact, { required: true, filter: true }), supported: flag({ filter: true }) },
})
