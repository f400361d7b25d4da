import { instant, integer, link, longText, richText, text } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'
import { contact, OF_VISIBLE_LEADS } from '../contacts/contact.ts'
import { printedLetter } from './letter.ts'

/** A printed letter of a lead. It is not affected by later changes of the template. */
export const letterCopy = resource({
  type: 'LetterCopy',
  service: 'crm',
  path: 'letter_copies',
  table: 'letter_copy',
  tenant: 'own',
  title: 'subject',
  order: ['-id'],
  fields: {
    letter: link(() => printedLetter, { readonly: true, filter: true, embed: ['name'] }),
    contact: link(() => contact, { readonly: true, filter: true, embed: ['companyName', 'name'], label: 'Lead' }),
    /** Id of the lead it was written for. */
    writtenFor: integer({ readonly: true, visible: 'nobody' }),
    /** Name and address, one line each. */
    addressee: longText({ readonly: true, filter: 'partial', label: 'To' }),
    subject: text({ readonly: true }),
    body: richText({ readonly: true, omitFromLists: true }),
    author: text({ readonly: true, person: true, filter: true, label: 'By' }),
    run: integer({ readonly: true, filter: true, column: 'run_id', label: 'Batch' }),
    printedAt: instant({ readonly: true, notNull: true, filter: true, order: true, label: 'Printed' }),
  },
  allow: { read: 'ROLE_STAFF', rows: OF_VISIBLE_LEADS },
})
