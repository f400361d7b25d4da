import { choice, email, instant, integer, link, longText, text } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'
import { client } from '#modules/portal/clients/client.ts'
import { staff } from '../staff/staff.ts'
import { VISITORS } from './rights.ts'

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
      help: 'You, unless you say somebody else.',
    }),
    startsAt: instant({ required: 'Please say when', filter: true, order: true, label: 'When' }),
    minutes: integer({ default: 120, min: 15, max: 720, label: 'Minutes there' }),
    place: text({ default: '', max: 300, label: 'Where' }),
    contactName: text({ default: '', max: 200, label: 'Whom to ask for' }),
    email: email({ default: '', label: 'E-mail', help: 'Where the client is told of the visit, and gets its report.' }),
    purpose: text({ required: 'Please say what it is for', max: 200, filter: 'partial', label: 'What for' }),
    state: choice(SITE_VISIT_STATES, { readonly: true, default: 'planned', filter: true, count: true }),
    report: longText({ readonly: true, default: '' }),
    reason: text({ readonly: true, default: '', max: 1000, label: 'Why it is cancelled' }),
    doneAt: instant({ readonly: true, label: 'Reported' }),
    /** Time at which the client was last notified by e-mail. */
    confirmedAt: instant({ readonly: true, label: 'Client told' }),
    author: text({ readonly: true, stamp: 'author', person: true, label: 'Planned by' }),
    createdAt: instant({ readonly: true, notNull: true }),
    updatedAt: instant({ readonly: true, stamp: 'updated' }),
  },
  allow: { read: 'ROLE_STAFF', create: VISITORS, update: VISITORS },
  actions: {
    confirm: {
      path: 'confirm',
      title: 'Tell the client by e-mail',
      allow: VISITORS,
      from: ['planned'],
      input: {},
    },
    finish: {
      path: 'finish',
      title: 'It is done: its report',
      allow: VISITORS,
      from: ['planned'],
      input: {
        report: longText({ required: 'Please write what came of it', max: 20_000 }),
        send: choice(['yes', 'no'], { default: 'no', label: 'Send the report to the client' }),
      },
    },
    cancel: {
      path: 'cancel',
      title: 'Cancel the visit',
      allow: VISITORS,
      from: ['planned'],
      input: { reason: longText({ required: 'Please say why', max: 1000 }) },
    },
  },
})
