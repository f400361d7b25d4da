import { choice, email, flag, instant, integer, json, link, longText, strings, text } from '#kernel/fields.ts'
import { type Resource, resource } from '#kernel/resource.ts'
import { only } from '#kernel/row-rules.ts'
import { client } from '#modules/portal/clients/client.ts'
import { contact } from '../contacts/contact.ts'

export const MAIL_STATES = [
  { value: 'waiting', label: 'Waiting' },
  { value: 'sending', label: 'Being sent' },
  { value: 'sent', label: 'Sent' },
  { value: 'perhaps sent', label: 'Possibly sent' },
  { value: 'bounced', label: 'Bounced' },
  { value: 'failed', label: 'Failed' },
  { value: 'stopped', label: 'Opted out' },
  { value: 'kept', label: 'Not sent: no mail server' },
  { value: 'received', label: 'Received' },
] as const

/** Roles that see all e-mails that belong to their company. */
export const ALL_MAIL_READER_ROLES = ['ROLE_MAIL_ADMIN', 'ROLE_CLIENT_ADMIN']

/** An outgoing e-mail or an incoming reply. */
export const mailMessage = resource({
  type: 'Message',
  service: 'email',
  path: 'messages',
  table: 'message',
  tenant: 'own',
  title: 'subject',
  order: ['-id'],
  fields: {
    recipient: email({ readonly: true, filter: 'partial' }),
    /** Sender of an incoming e-mail. */
    sender: text({ readonly: true, default: '' }),
    subject: text({ readonly: true, filter: 'partial' }),
    /** Text of the e-mail. Any secret link is replaced with a note. */
    body: longText({ readonly: true }),
    template: text({ readonly: true, filter: true }),
    state: choice(MAIL_STATES, { readonly: true, filter: true }),
    error: text({ readonly: true }),
    author: text({ readonly: true, filter: true, person: true }),
    /** ID of the author's user account, if the author is a person. */
    user: integer({ readonly: true, visible: 'nobody', column: 'user_id' }),
    contact: link(() => contact, { readonly: true, filter: true, embed: ['companyName', 'name'], label: 'Lead' }),
    account: link(() => client, { readonly: true, filter: true, embed: ['company'], label: 'Client' }),
    /** API URL of the record that the e-mail is about; empty if there is none. */
    about: text({ readonly: true, filter: true }),
    /** File names of the attachments. */
    attachments: strings({ readonly: true }),
    files: json({ readonly: true, visible: 'nobody' }),
    confidential: flag({ readonly: true }),
    /** Whether the e-mail was written by a person and has an unsubscribe link. */
    stoppable: flag({ readonly: true }),
    incoming: flag({ readonly: true, filter: true, label: 'Received' }),
    answerTo: link((): Resource => mailMessage, {
      readonly: true,
      filter: true,
      column: 'answer_to',
      label: 'Reply to',
    }),
    resendOf: link((): Resource => mailMessage, {
      readonly: true,
      filter: true,
      column: 'resend_of',
      label: 'Resend of',
    }),
    run: integer({ readonly: true, filter: true, column: 'run_id', label: 'Batch' }),
    token: text({ readonly: true, visible: 'nobody' }),
    createdAt: instant({ readonly: true, filter: true, order: true }),
    sentAt: instant({ readonly: true }),
  },
  allow: {
    read: [...ALL_MAIL_READER_ROLES, 'ROLE_STAFF'],
    rows: [{ unless: ALL_MAIL_READER_ROLES, only: only.either(only.mine('user'), only.ofReadable('contact')) }],
  },
})
