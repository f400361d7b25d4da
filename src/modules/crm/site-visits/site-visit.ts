import { choice, email, instant, integer, link, longText, text } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'
import { client } from '#modules/portal/clients/client.ts'
import { SITE_VISIT_ROLES } from '../nav.ts'
import { staff } from '../staff/staff.ts'

export const SITE_VISIT_STATES = [
  { value: 'planned', label: 'Planned' },
  { value: 'done', label: 'Done' },
  { value: 'cancelled', label: 'Cancelled' },
] as const

/** A consultant's visit to a client: date, place, purpose and report. */
export const siteVisit = resource({
  type: 'SiteVisit',
  service: 'crm',
  path: 'site_visits',
  table: 'site_visit',
  tenant: 'own',
  title: 'purpose',
  order: ['-startsAt', '-id'],
  state: 'state',
  emails: 'id',
  fields: {
    account: link(() => client, {
      required: 'Please choose the client',
      filter: true,
      embed: ['company', 'contacttel'],
      label: 'Client',
    }),
    consultant: link(() => staff, {
      filter: true,
      embed: ['username', 'name'],
      help: 'Leave empty if you are the consultant.',
    }),
    startsAt: instant({ required: 'Please enter the date', filter: true, order: true, label: 'Date' }),
    minutes: integer({ default: 120, min: 15, max: 720, label: 'Duration in minutes' }),
    place: text({ default: '', max: 300, label: 'Place' }),
    contactName: text({ default: '', max: 200, label: 'Contact person' }),
    email: email({
      default: '',
      label: 'E-mail',
      help: 'The notification and the report are sent to this e-mail address.',
    }),
    purpose: text({ required: 'Please enter the purpose', max: 200, filter: 'partial', label: 'Purpose' }),
    state: choice(SITE_VISIT_STATES, { readonly: true, default: 'planned', filter: true, count: true }),
    report: longText({ readonly: true, default: '' }),
    reason: text({ readonly: true, default: '', max: 1000, label: 'Reason for cancelling' }),
    doneAt: instant({ readonly: true, label: 'Report written' }),
    /** Time at which the client was last notified of the visit by e-mail. */
    confirmedAt: instant({ readonly: true, label: 'Client notified' }),
    author: text({ readonly: true, stamp: 'author', person: true, label: 'Planned by' }),
    createdAt: instant({ readonly: true, notNull: true }),
    updatedAt: instant({ readonly: true, stamp: 'updated' }),
  },
  allow: { read: 'ROLE_STAFF', create: SITE_VISIT_ROLES, update: SITE_VISIT_ROLES },
  actions: {
    confirm: {
      path: 'confirm',
      title: 'Notify the client by e-mail',
      allow: SITE_VISIT_ROLES,
      from: ['planned'],
      input: {},
    },
    finish: {
      path: 'finish',
      title: 'Complete the visit and save its report',
      allow: SITE_VISIT_ROLES,
      from: ['planned'],
      input: {
        report: longText({ required: 'Please enter the report', max: 20_000 }),
        send: choice(['yes', 'no'], { default: 'no', label: 'Send the report to the client' }),
      },
    },
    cancel: {
      path: 'cancel',
      title: 'Cancel the visit',
      allow: SITE_VISIT_ROLES,
      from: ['planned'],
      input: { reason: longText({ required: 'Please enter a reason', max: 1000 }) },
    },
  },
})
