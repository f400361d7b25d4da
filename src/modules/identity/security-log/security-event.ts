import { choice, instant, integer, link, text } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'
import { SECURITY_EVENTS } from '#kernel/security-event.ts'
import { client } from '#modules/portal/clients/client.ts'

/** Entry in the security log, such as a sign-in, a refusal or a change to a user's rights. */
export const securityEvent = resource({
  type: 'SecurityEvent',
  service: 'portal',
  path: 'security_events',
  table: 'security_event',
  tenant: 'own',
  title: 'event',
  order: ['-id'],
  appendOnly: true,
  fields: {
    client: link(() => client, { column: 'client_id', readonly: true, filter: true, embed: ['company'] }),
    happenedAt: instant({
      readonly: true,
      notNull: true,
      column: 'at',
      label: 'Date and time',
      filter: true,
      order: true,
    }),
    event: choice(SECURITY_EVENTS, { readonly: true, notNull: true, label: 'Event', filter: true, count: true }),
    username: text({ readonly: true, notNull: true, label: 'User', filter: 'partial' }),
    asUsername: text({ readonly: true, notNull: true, label: 'Working as', filter: true }),
    address: text({ readonly: true, notNull: true, label: 'IP address', filter: true }),
    agent: text({ readonly: true, notNull: true, label: 'Browser' }),
    detail: text({ readonly: true, notNull: true, label: 'Details' }),
    times: integer({ readonly: true, notNull: true, label: 'Count' }),
  },
  allow: { read: ['ROLE_CLIENT_ADMIN', 'ROLE_USER_ADMIN'], allTenants: 'ROLE_USER_ADMIN' },
})
