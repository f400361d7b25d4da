import { flag, instant, integer, link, longText, richText, text } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'
import { contact, VISIBLE_LEAD_ROW_RULES } from '../contacts/contact.ts'
import { BULK_MAIL_ROLES } from '../mail/template.ts'

/** Template of a printed letter, with merge fields. */
export const letterTemplate = resource({
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
    author: text({ readonly: true, stamp: 'author', person: true, filter: true, label: 'Created by' }),
    lastEditBy: text({ readonly: true, stamp: 'editor', person: true, label: 'Changed by' }),
    updatedAt: instant({ readonly: true, stamp: 'updated', order: true, label: 'Changed' }),
    /** Number of leads for which the letter was printed. */
    printed: integer({ readonly: true, default: 0, order: true, label: 'Leads printed for' }),
    printedAt: instant({ readonly: true, order: true, label: 'Last printed' }),
    retired: flag({ filter: true }),
  },
  allow: { read: 'ROLE_STAFF', create: BULK_MAIL_ROLES, update: BULK_MAIL_ROLES },
})

/** A letter that was printed for a lead. Later changes to the template don't affect it. */
export const letterCopy = resource({
  type: 'LetterCopy',
  service: 'crm',
  path: 'letter_copies',
  table: 'letter_copy',
  tenant: 'own',
  title: 'subject',
  order: ['-id'],
  fields: {
    letter: link(() => letterTemplate, { readonly: true, filter: true, embed: ['name'] }),
    contact: link(() => contact, { readonly: true, filter: true, embed: ['companyName', 'name'], label: 'Lead' }),
    /** ID of the lead for which the letter was written. */
    writtenFor: integer({ readonly: true, visible: 'nobody' }),
    /** Name and postal address, one item per line. */
    addressee: longText({ readonly: true, filter: 'partial', label: 'To' }),
    subject: text({ readonly: true }),
    body: richText({ readonly: true, omitFromLists: true }),
    author: text({ readonly: true, person: true, filter: true, label: 'Printed by' }),
    run: integer({ readonly: true, filter: true, column: 'run_id', label: 'Batch' }),
    printedAt: instant({ readonly: true, notNull: true, filter: true, order: true, label: 'Printed' }),
  },
  allow: { read: 'ROLE_STAFF', rows: VISIBLE_LEAD_ROW_RULES },
})

/** A lead's opt-out from letters by post. Lifting an opt-out requires a reason. */
export const letterOptOut = resource({
  type: 'LetterRefusal',
  service: 'crm',
  path: 'letter_refusals',
  table: 'letter_refusal',
  tenant: 'own',
  order: ['-id'],
  fields: {
    contact: link(() => contact, {
      required: 'Please choose the lead that has opted out',
      filter: true,
      embed: ['companyName', 'name'],
      label: 'Lead',
    }),
    detail: text({ default: '', max: 300, label: 'How the lead opted out' }),
    createdAt: instant({ readonly: true, order: true, label: 'Since' }),
    author: text({ readonly: true, stamp: 'author', person: true, label: 'Recorded by' }),
    retired: flag({ filter: true, label: 'Lifted', editable: 'ROLE_MAIL_ADMIN' }),
    liftedReason: text({
      default: '',
      max: 300,
      label: 'Why letters may be sent again',
      editable: 'ROLE_MAIL_ADMIN',
    }),
  },
  allow: { read: 'ROLE_STAFF', create: 'ROLE_STAFF', update: 'ROLE_MAIL_ADMIN', rows: VISIBLE_LEAD_ROW_RULES },
})
