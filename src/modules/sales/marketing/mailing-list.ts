import { choice, instant, integer, text } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'
import { contact } from '#modules/crm/contacts/contact.ts'
import { MAILING_LIST_ROLES } from '../rights.ts'

/** File formats of a mailing list: plain CSV, or CSV for Constant Contact. */
export const MAILING_LIST_FORMATS = [
  { value: 'plain', label: 'Plain CSV' },
  { value: 'constant-contact', label: 'Constant Contact' },
] as const

/** An exported mailing list: the filters for its leads, its author and counts. */
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
    /** Filters applied to the list of leads, as a query string. */
    segment: text({ readonly: true, notNull: true, max: 2000, label: 'Filters' }),
    format: choice(MAILING_LIST_FORMATS, { readonly: true, default: 'plain', filter: true }),
    listed: integer({ readonly: true, notNull: true, label: 'Addresses' }),
    leftOut: integer({ readonly: true, notNull: true, label: 'Leads left out' }),
    author: text({ readonly: true, notNull: true, stamp: 'author', person: true, label: 'Created by' }),
    createdAt: instant({ readonly: true, notNull: true, order: true, filter: true, label: 'Created' }),
  },
  allow: { read: MAILING_LIST_ROLES },
})

export const MAILING_AUDIENCE_URL = `${contact.url}/audience`
export const mailingListFileUrl = (id: number): string => `${mailingList.url}/${id}/file.csv`

/**
 * Number of leads that the filters select, and how many of them have an e-mail address, have given consent and may be
 * e-mailed.
 */
export interface MailingAudience {
  readonly '@id': string
  readonly leads: number
  readonly withAddress: number
  readonly consented: number
  /** Number of leads that have given consent and have not opted out. */
  readonly writable: number
}
