import { choice, email, instant, integer, link, longText, text } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'
import { only } from '#kernel/row-rules.ts'
import { user } from '#modules/identity/people/user.ts'
import { client } from '../clients/client.ts'

/** A support request. Users can see their own requests, and administrators those of their company. */
export const supportTicket = resource({
  type: 'SupportTicket',
  service: 'portal',
  path: 'support_tickets',
  table: 'support_ticket',
  tenant: 'own',
  title: 'subject',
  order: ['-id'],
  state: 'state',
  emails: 'id',
  fields: {
    client: link(() => client, { column: 'client_id', readonly: true, filter: true, embed: ['company'] }),
    subject: text({ required: 'Please enter a subject', max: 200, filter: 'partial' }),
    message: longText({ required: 'Please describe what happened', max: 5000 }),
    name: text({ readonly: true, default: '' }),
    author: text({ readonly: true, stamp: 'author', label: 'Written by' }),
    email: email({ required: true, label: 'Reply to' }),
    topicId: integer({ default: 1, min: 1, max: 9999 }),
    source: text({ readonly: true, default: 'API' }),
    page: text({ default: '', max: 300 }),
    reference: text({ default: '', max: 100, help: 'ID of the failed request.' }),
    state: choice(
      [
        { value: 'open', label: 'Open' },
        { value: 'closed', label: 'Closed' },
      ],
      { readonly: true, default: 'open', filter: true, count: true },
    ),
    answer: longText({ readonly: true, default: '' }),
    answeredBy: text({ readonly: true, default: '', person: true }),
    /** Status of the ticket at the help desk, if a help desk is set up. */
    desk: choice(
      [
        { value: 'kept', label: 'Not forwarded' },
        { value: 'waiting', label: 'Being sent' },
        { value: 'handed on', label: 'With the help desk' },
        { value: 'refused', label: 'Refused by the help desk' },
      ],
      { readonly: true, default: 'kept', filter: true, label: 'Help desk' },
    ),
    deskNumber: text({ readonly: true, default: '', label: 'Help desk ticket number' }),
    deskError: text({ readonly: true, default: '', max: 300, visible: 'ROLE_STAFF', label: 'Help desk message' }),
    /** The author’s account; null for provider staff who worked as a user of the client. */
    user: link(() => user, { readonly: true, embed: ['name'] }),
    createdAt: instant({ readonly: true, notNull: true, filter: true, order: true }),
    updatedAt: instant({ readonly: true, stamp: 'updated' }),
  },
  allow: {
    read: 'member',
    create: 'member',
    whileImpersonating: ['create'],
    allTenants: 'ROLE_STAFF',
    rows: [{ unless: 'ROLE_CLIENT_ADMIN', only: only.mine('user'), butWide: true, verbs: ['read'] }],
  },
  actions: {
    answer: {
      path: 'answer',
      title: 'Answer by e-mail and close',
      allow: 'ROLE_STAFF',
      from: ['open'],
      input: { answer: longText({ required: 'Please enter an answer', max: 5000 }) },
    },
    close: { path: 'close', title: 'Close', allow: 'ROLE_STAFF', from: ['open'], to: 'closed', input: {} },
    handOn: { path: 'hand-on', title: 'Send to the help desk again', allow: 'ROLE_STAFF', input: {} },
    reopen: { path: 'reopen', title: 'Reopen', allow: 'ROLE_STAFF', from: ['closed'], to: 'open', input: {} },
  },
})
