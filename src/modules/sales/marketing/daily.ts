import { choice, date, instant, integer, link, longText, text } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'
import { businessType, cameFrom } from '#modules/crm/contacts/lookups.ts'
import { user } from '#modules/identity/people/user.ts'
import { MARKET } from '../rights.ts'

export const DAILY_STATES = [
  { value: 'draft', label: 'Draft' },
  { value: 'planned', label: 'Planned' },
  { value: 'sent', label: 'Sent' },
  { value: 'missed', label: 'Not sent' },
  { value: 'cancelled', label: 'Cancelled' },
] as const

/** A daily e-mail on a topic, for leads who have consented. */
export const dailyEmail = resource({
  type: 'DailyEmail',
  service: 'crm',
  path: 'daily_emails',
  table: 'daily_email',
  tenant: 'own',
  title: 'subject',
  order: ['-day', '-id'],
  state: 'state',
  fields: {
    topic: choice([{ value: 'iso', label: 'ISO standards' }], { default: 'iso', filter: true }),
    day: date({
      required: 'Please say on which day it goes out',
      filter: true,
      order: true,
      help: 'It goes out at nine in the morning in London. There is one of a topic each day.',
    }),
    subject: text({ required: 'Please enter a subject', max: 200, filter: 'partial' }),
    body: longText({
      required: 'Please write the letter',
      max: 20_000,
      label: 'Letter',
      help: 'Places such as {{first name|there}} are filled in for each. A way out stands below it by itself.',
    }),
    businessType: link(() => businessType, { embed: ['name'], label: 'Only this business type' }),
    cameFrom: link(() => cameFrom, { embed: ['name'], label: 'Only who came from' }),
    state: choice(DAILY_STATES, { readonly: true, default: 'draft', filter: true, count: true }),
    /** Batch job that sent it, to find its e-mails. */
    run: integer({ readonly: true, column: 'run_id', filter: true }),
    sentAt: instant({ readonly: true, label: 'Sent' }),
    reason: text({ readonly: true, default: '', max: 300, label: 'Why it was not sent' }),
    plannedBy: link(() => user, { readonly: true, column: 'planned_by', embed: ['name'], label: 'Planned by' }),
    lastEditBy: text({ readonly: true, stamp: 'editor', person: true, label: 'Changed by' }),
    createdAt: instant({ readonly: true, notNull: true }),
    updatedAt: instant({ readonly: true, stamp: 'updated' }),
  },
  allow: { read: MARKET, create: MARKET, update: MARKET },
  actions: {
    plan: { path: 'plan', title: 'Send it on its day', allow: MARKET, from: ['draft'], input: {} },
    unplan: {
      path: 'unplan',
      title: 'Make it a draft again',
      allow: MARKET,
      from: ['planned'],
      to: 'draft',
      input: {},
    },
    cancel: {
      path: 'cancel',
      title: 'Cancel it',
      allow: MARKET,
      from: ['draft', 'planned'],
      to: 'cancelled',
      input: {},
    },
  },
})

/** Query parameters of the leads it goes to. */
export const segmentOf = (of: {
  readonly businessType: number | null
  readonly cameFrom: number | null
}): Record<string, string> => ({
  retired: 'false',
  ...(of.businessType === null ? {} : { businessType: String(of.businessType) }),
  ...(of.cameFrom === null ? {} : { cameFrom: String(of.cameFrom) }),
})
