import { choice, instant, integer, text } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'
import { contact } from '#modules/crm/contacts/contact.ts'
import { MARKET } from '../rights.ts'

/** How a list is written: for anybody, or as Constant Contact reads it. */
export const FORMATS = [
  { value: 'plain', label: 'Plain CSV' },
  { value: 'constant-contact', label: 'Constant Contact' },
] as const

/** A list of addresses that was made to be handed on: of which leads, by whom, and how many they were. */
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
    name: text({ readonly: true, notNull: true, filter: 'partial', label: 'For what' }),
    /** The filters of the list of leads, as they are asked for. */
    segment: text({ readonly: true, notNull: true, max: 2000, label: 'Of which leads' }),
    format: choice(FORMATS, { readonly: true, default: 'plain', filter: true }),
    listed: integer({ readonly: true, notNull: true, label: 'Addresses' }),
    leftOut: integer({ readonly: true, notNull: true, label: 'Left out' }),
    author: text({ readonly: true, notNull: true, stamp: 'author', person: true, label: 'Made by' }),
    createdAt: instant({ readonly: true, notNull: true, order: true, filter: true, label: 'When' }),
  },
  allow: { read: MARKET },
})

export const AUDIENCE = `${contact.url}/audience`
export const fileOf = (id: number): string => `${mailingList.url}/${id}/file.csv`

/** Of leads that were chosen: how many there are, and what of them may be written to. */
export interface Audience {
  readonly '@id': string
  readonly leads: number
  readonly withAddress: number
  readonly consented: number
  /** Consented, and not among the addresses that are not written to any more. */
  readonly writable: number
}
