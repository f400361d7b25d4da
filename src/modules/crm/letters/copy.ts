import { instant, integer, link, longText, richText, text } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'
import { contact, OF_SEEN_LEADS } from '../contacts/contact.ts'
import { paperLetter } from './letter.ts'

/** A letter as one lead got it. It stays as it was printed, whatever becomes of its words. */
export const letterCopy = resource({
  type: 'LetterCopy',
  service: 'crm',
  path: 'letter_copies',
  table: 'letter_copy',
  tenant: 'own',
  title: 'subject',
  order: ['-id'],
  fields: {
    letter: link(() => paperLetter, { readonly: true, filter: true, embed: ['name'] }),
    contact: link(() => contact, { readonly: true, filter: true, embed: ['companyName', 'name'], label: 'Lead' }),
    /** For which lead it was written, by its number. */
    writtenFor: integer({ readonly: true, visible: 'nobody' }),
    /** Name and address, line by line. */
    addressee: longText({ readonly: true, filter: 'partial', label: 'To' }),
    subject: text({ readonly: true }),
    body: richText({ readonly: true, omitFromLists: true }),
    author: text({ readonly: true, person: true, filter: true, label: 'By' }),
    run: integer({ readonly: true, filter: true, column: 'run_id', label: 'Batch' }),
    printedAt: instant({ readonly: true, notNull: true, filter: true, order: true, label: 'Printed' }),
  },
  allow: { read: 'ROLE_STAFF', rows: OF_SEEN_LEADS },
})
