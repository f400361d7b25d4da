import { choice, flag, instant, longText, text } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'

/** Roles that may write templates, and send e-mails and letters to many leads. */
export const BULK_MAIL_ROLES = ['ROLE_MAIL_ADMIN', 'ROLE_LEADS_ADMIN']

/** API path of the list of e-mails that the portal composes itself. */
export const SYSTEM_EMAILS_PATH = '/api/email/system_emails'

/** A reusable e-mail text with merge fields. */
export const emailTemplate = resource({
  type: 'EmailTemplate',
  service: 'email',
  path: 'email_templates',
  table: 'email_template',
  tenant: 'own',
  title: 'name',
  order: ['name'],
  bulk: ['retire'],
  unpaginated: true,
  fields: {
    name: text({ required: 'Please enter a name for this template', filter: 'partial', order: true }),
    kind: choice(
      [
        { value: 'lead', label: 'Leads' },
        { value: 'client', label: 'Clients' },
      ],
      { default: 'lead', filter: true, label: 'To' },
    ),
    marketing: flag({
      default: true,
      filter: true,
      label: 'Offer or other marketing',
      help: 'Marketing needs consent from sole traders, partnerships and leads of unknown legal form.',
    }),
    subject: text({ required: 'Please enter a subject', max: 200 }),
    body: longText({
      required: 'Please enter a message',
      help: 'Fields such as {{first name}} are filled in; {{first name|there}} sets a default value.',
    }),
    retired: flag({ filter: true }),
    author: text({ readonly: true, stamp: 'editor', person: true }),
    updatedAt: instant({ readonly: true, stamp: 'updated', order: true }),
  },
  allow: {
    read: 'ROLE_STAFF',
    create: BULK_MAIL_ROLES,
    update: BULK_MAIL_ROLES,
  },
})
