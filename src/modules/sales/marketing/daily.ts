import { choice, date, instant, integer, link, longText, text } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'
import { businessType, leadSource } from '#modules/crm/contacts/import-batch.ts'
import { user } from '#modules/identity/people/user.ts'
import { MAILING_LIST_ROLES } from '../rights.ts'

export const DAILY_EMAIL_STATES = [
  { value: 'draft', label: 'Draft' },
  { value: 'planned', label: 'Scheduled' },
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
      required: 'Please enter the day on which to send the e-mail',
      filter: true,
      order: true,
      help: 'The e-mail is sent at 9 am, London time. There is one e-mail per topic each day.',
    }),
    subject: text({ required: 'Please enter a subject', max: 200, filter: 'partial' }),
    body: longText({
      required: 'Please enter the text',
      max: 20_000,
      label: 'Text',
      help: 'Fields such as {{first name|there}} are filled in for each recipient. An unsubscribe link is added automatically.',
    }),
    businessType: link(() => businessType, { embed: ['name'], label: 'Limit to business type' }),
    cameFrom: link(() => leadSource, { embed: ['name'], label: 'Limit to lead source' }),
    state: choice(DAILY_EMAIL_STATES, { readonly: true, default: 'draft', filter: true, count: true }),
    /** ID of the batch job that sent the e-mail, used to find the messages sent. */
    run: integer({ readonly: true, column: 'run_id', filter: true }),
    sentAt: instant({ readonly: true, label: 'Sent' }),
    reason: text({ readonly: true, default: '', max: 300, label: 'Reason for not sending' }),
    plannedBy: link(() => user, { readonly: true, column: 'planned_by', embed: ['name'], label: 'Scheduled by' }),
    lastEditBy: text({ readonly: true, stamp: 'editor', person: true, label: 'Changed by' }),
    createdAt: instant({ readonly: true, notNull: true }),
    updatedAt: instant({ readonly: true, stamp: 'updated' }),
  },
  allow: { read: MAILING_LIST_ROLES, create: MAILING_LIST_ROLES, update: MAILING_LIST_ROLES },
  actions: {
    plan: { path: 'plan', title: 'Schedule', allow: MAILING_LIST_ROLES, from: ['draft'], input: {} },
    unplan: {
      path: 'unplan',
      title: 'Return to draft',
      allow: MAILING_LIST_ROLES,
      from: ['planned'],
      to: 'draft',
      input: {},
    },
    cancel: {
      path: 'cancel',
      title: 'Cancel',
      allow: MAILING_LIST_ROLES,
      from: ['draft', 'planned'],
      to: 'cancelled',
      input: {},
    },
  },
})

/** Builds the query parameters that select the leads to whom a daily e-mail is sent. */
export const buildRecipientQuery = (of: {
  readonly businessType: number | null
  readonly cameFrom: number | null
}): Record<string, string> => ({
  retired: 'false',
  ...(of.businessType === null ? {} : { businessType: String(of.businessType) }),
  ...(of.cameFrom === null ? {} : { cameFrom: String(of.cameFrom) }),
})
