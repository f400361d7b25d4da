import { choice, email, flag, instant, longText, strings, text } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'

/** An e-mail that the portal has sent, or kept because no server is set up. */
export const message = resource({
  type: 'Message',
  service: 'email',
  path: 'messages',
  table: 'message',
  tenant: 'own',
  title: 'subject',
  order: ['-id'],
  fields: {
    recipient: email({ readonly: true, filter: true }),
    subject: text({ readonly: true, filter: 'partial' }),
    /** Letters that carry a secret link say only that they do. */
    body: longText({ readonly: true }),
    template: text({ readonly: true, filter: true }),
    state: choice(['waiting', 'sent', 'kept', 'failed'], { readonly: true, filter: true }),
    error: text({ readonly: true }),
    author: text({ readonly: true }),
    /** The record that it is about, as the API names it; empty for none. */
    about: text({ readonly: true, filter: true }),
    /** The names of the files that went with it. */
    attachments: strings({ readonly: true }),
    confidential: flag({ readonly: true }),
    createdAt: instant({ readonly: true, filter: true, order: true }),
    sentAt: instant({ readonly: true }),
  },
  allow: { read: ['ROLE_MAIL_ADMIN', 'ROLE_CLIENT_ADMIN'] },
})
