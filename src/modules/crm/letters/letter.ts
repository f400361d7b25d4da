import { flag, instant, integer, richText, text } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'
import { BULK_MAIL_ROLES } from '../mail/rights.ts'

/** Template of a printed letter, with merge fields. */
export const printedLetter = resource({
  type: 'Letter',
  service: 'crm',
  path: 'letters',
  table: 'letter',
  tenant: 'own',
  title: 'name',
  order: ['-timestamp', '-id'],
  bulk: ['retire'],
  unpaginated: true,
  fields: {
    name: text({ required: 'Please enter a name for this letter', filter: 'partial', order: true }),
    subject: text({
      required: 'Please enter a subject',
      max: 200,
      filter: 'partial',
      help: 'The subject line of the letter. It may contain fields.',
    }),
    body: richText({
      required: 'Please enter the text of the letter',
      label: 'Letter',
      help: 'Fields such as {{first name}} are filled in; {{first name|there}} sets a default value.',
    }),
    timestamp: instant({ readonly: true, notNull: true, filter: true, order: true, label: 'Created' }),
    author: text({ readonly: true, stamp: 'author', person: true, filter: true, label: 'By' }),
    lastEditBy: text({ readonly: true, stamp: 'editor', person: true, label: 'Changed by' }),
    updatedAt: instant({ readonly: true, stamp: 'updated', order: true, label: 'Changed' }),
    /** Number of leads it was printed for. */
    printed: integer({ readonly: true, default: 0, order: true, label: 'Printed for' }),
    printedAt: instant({ readonly: true, order: true, label: 'Last printed' }),
    retired: flag({ filter: true }),
  },
  allow: { read: 'ROLE_STAFF', create: BULK_MAIL_ROLES, update: BULK_MAIL_ROLES },
})
