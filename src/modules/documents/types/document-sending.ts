import { instant, link, longText, strings, text } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'
import { DOCUMENT_AUTHORS, DOCUMENT_PART_RULES } from '../rights.ts'
import { document } from './document.ts'

/**
 * Log of a sent document: by e-mail or, with the company's name, in reply to its request; sender and time. Each is an
 * entry in the audit chain.
 */
export const documentSending = resource({
  type: 'DocumentSending',
  service: 'safety',
  path: 'document_sendings',
  table: 'document_sending',
  tenant: 'own',
  appendOnly: true,
  order: ['-id'],
  fields: {
    document: link(() => document, { readonly: true, notNull: true, filter: true }),
    addresses: strings({ readonly: true, notNull: true }),
    message: longText({ readonly: true, notNull: true }),
    /** SHA-256 of the sent PDF, hexadecimal. */
    checksum: text({ readonly: true, notNull: true }),
    author: text({ readonly: true, notNull: true, stamp: 'author' }),
    sentAt: instant({ readonly: true, notNull: true, order: true }),
  },
  allow: { read: DOCUMENT_AUTHORS, rows: DOCUMENT_PART_RULES },
  pack: 'safety',
})
