import { choice, instant, integer, text } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'
import { contact } from '#modules/crm/contacts/contact.ts'
import { MAILING_LIST_ROLES } from '../rights.ts'

/** File formats of a list: general, or for Constant Contact. */
export const MAILING_LIST_FORMATS = [
  { value: 'plain', label: 'Plain CSV' },
  { value: 'constant-contact', label: 'Constant Contact' },
] as const

/** An exported list of addresses: its leads, author and counts. */
export const mailingList = resource({
  type: 'MailingList',
  service: 'crm',
  path: 'mailing_lists',
  table: 'mailing_list',
  tenant: 'own',
  title: 'name',
  order: ['-id'],
  appendOnly: true,
  fields: {
    name: text({ readonly: true, notNull: true, filter: 'partial', label: 'Purpose' }),
    /** Filters of the list of leads, as a query string. */
    segment: text({ readonly: true, notNull: true, max: 2000, label: 'Filters' }),
    format: choice(MAILING_LIST_FORMATS, { readonly: true, default: 'plain', filter: true }),
    listed: integer({ readonly: true, notNull: true, label: 'Addresses' }),
    leftOut: integer({ readonly: true, notNull: true, label: 'Left out' }),
    author: text({ readonly: true, notNull: true, stamp: 'author', person: true, label: 'Created by' }),
    createdAt: instant({ readonly: true, notNull: true, order: true, filter: true, label: 'Created' }),
  },
  allow: { read: MAILING_LIST_ROLES },
})

export const MAILING_AUDIENCE_PATH = `${contact.url}/audience`
export const mailingListFileUrl = (id: number): string => `${mailingList.url}/${id}/file.csv`

/** Number of chosen leads, and of those that may be e-mailed. */
export interface MailingAudience {
  readonly '@id': string
  readonly leads: number
  readonly withAddress: number
  readonly consented: number
  /** Leads with consent and no opt-out. */
  readonly writable: number
}
