import { choice, date, flag, instant, integer, link, longText, text } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'
import { contact } from '../contacts/contact.ts'

/** Reasons why a number must not be called: the person has opted out, or a screening found the number on a register. */
const SOURCES = [
  { value: 'objection', label: 'Direct opt-out' },
  { value: 'TPS', label: 'TPS' },
  { value: 'CTPS', label: 'CTPS' },
] as const

/** A number that must not be called, with the evidence for the block. The record remains after the block is lifted. */
export const doNotCallNumber = resource({
  type: 'DoNotCallNumber',
  service: 'crm',
  path: 'do_not_call',
  table: 'do_not_call',
  tenant: 'own',
  title: 'number',
  order: ['-id'],
  state: 'state',
  fields: {
    number: text({ required: true, search: true, filter: 'partial', order: true, max: 40, label: 'Telephone number' }),
    source: choice(SOURCES, {
      readonly: true,
      default: 'objection',
      filter: true,
      count: true,
      label: 'Reason',
    }),
    reason: longText({
      required: 'Please state who opted out, and how',
      search: true,
      max: 500,
      label: 'Who opted out, and how',
    }),
    state: choice(
      [
        { value: 'in force', label: 'In force' },
        { value: 'lifted', label: 'Lifted' },
      ],
      { readonly: true, default: 'in force', filter: true, count: true },
    ),
    contact: link(() => contact, {
      readonly: true,
      filter: true,
      embed: ['companyName', 'name'],
      label: 'Recorded on lead',
    }),
    author: text({ readonly: true, stamp: 'author', search: true, filter: true, label: 'Recorded by' }),
    createdAt: instant({ readonly: true, notNull: true, filter: true, order: true, label: 'Recorded' }),
    liftedAt: instant({ readonly: true, filter: true, order: true, label: 'Lifted' }),
    liftedBy: text({ readonly: true, person: true }),
    liftedReason: text({ readonly: true, max: 500, label: 'Reason for lifting' }),
  },
  allow: { read: 'ROLE_STAFF', create: 'ROLE_STAFF' },
  actions: {
    lift: {
      path: 'lift',
      title: 'Allow calls to this number again',
      allow: 'ROLE_LEADS_ADMIN',
      from: ['in force'],
      to: 'lifted',
      input: {
        reason: longText({
          required: 'Please explain why this number may be called again',
          max: 500,
          label: 'Why this number may be called again',
        }),
      },
    },
  },
})

/** Results of checking numbers against the registers on a given day, uploaded as a CSV file. */
export const screening = resource({
  type: 'Screening',
  service: 'crm',
  path: 'screenings',
  table: 'screening',
  tenant: 'own',
  title: 'fileName',
  order: ['-id'],
  fields: {
    fileName: text({ required: true, label: 'File' }),
    screenedOn: date({
      required: 'Please enter the day on which the registers were checked',
      filter: true,
      order: true,
      label: 'Checked on',
    }),
    /** Content of the file, stored until it has been processed. */
    content: longText({ required: 'Please choose a file', writeOnly: true, max: 8_000_000, label: 'CSV' }),
    run: integer({ readonly: true, column: 'run_id' }),
    rowsRead: integer({ readonly: true, default: 0, label: 'Lines' }),
    registered: integer({ readonly: true, default: 0, label: 'On a register' }),
    clear: integer({ readonly: true, default: 0, label: 'Not on a register' }),
    refused: integer({ readonly: true, default: 0, label: 'Unreadable' }),
    author: text({ readonly: true, stamp: 'author', label: 'Imported by' }),
    createdAt: instant({ readonly: true, notNull: true, order: true, label: 'Imported' }),
  },
  allow: { read: 'ROLE_STAFF', create: 'ROLE_LEADS_ADMIN' },
})

/** A screened number, with the date of its last screening and the register that it is on. */
export const screenedNumber = resource({
  type: 'ScreenedNumber',
  service: 'crm',
  path: 'screened_numbers',
  table: 'screened_number',
  tenant: 'own',
  title: 'number',
  order: ['number'],
  fields: {
    number: text({ readonly: true, notNull: true, filter: 'partial', order: true, label: 'Telephone number' }),
    screenedOn: date({ readonly: true, notNull: true, filter: true, order: true, label: 'Last checked' }),
    list: text({ readonly: true, default: '', filter: true, label: 'Register' }),
  },
  allow: { read: 'ROLE_STAFF' },
})

/**
 * The provider's settings for complying with the law on sales calls, stored in a single record. Without a record, the
 * defaults apply.
 */
export const callSettings = resource({
  type: 'CallSettings',
  service: 'crm',
  path: 'call_settings',
  table: 'call_settings',
  tenant: 'own',
  fields: {
    screens: flag({ default: true, label: 'Numbers are screened against the TPS and CTPS before they are called' }),
    screeningDays: integer({
      required: true,
      default: 28,
      min: 1,
      max: 28,
      label: 'Days for which a screening is valid',
      help: 'A number last screened longer ago than this can’t be called until it is screened again.',
    }),
  },
  allow: { read: 'ROLE_STAFF', create: 'ROLE_LEADS_ADMIN', update: 'ROLE_LEADS_ADMIN' },
})
