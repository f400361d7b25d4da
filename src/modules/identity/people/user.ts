import { email, flag, instant, json, link, phone, strings, text } from '#kernel/fields.ts'
import { type Resource, resource } from '#kernel/resource.ts'
import { only } from '#kernel/row-rules.ts'
import { client } from '#modules/portal/clients/client.ts'

/** A user who can sign in. Usernames are unique within a client. */
export const user = resource({
  type: 'User',
  service: 'portal',
  path: 'users',
  table: 'user_account',
  tenant: 'own',
  title: 'name',
  order: ['name'],
  bulk: ['retire'],
  asksProof: true,
  fields: {
    username: text({
      required: true,
      filter: true,
      order: true,
      max: 100,
      pattern: {
        regex: /^[A-Za-z0-9._@-]+$/,
        message: 'Use only letters, digits, full stops, hyphens, underscores and @',
      },
    }),
    name: text({ required: true, notWhileImpersonating: true, filter: 'partial', order: true }),
    email: email({ default: '', filter: true, label: 'E-mail' }),
    telephone: phone({ default: '' }),
    roles: strings({ default: [], filter: true }),
    /** Values from `PERMISSION_SCOPES`. */
    scopes: json({ default: [], editable: 'ROLE_USER_ADMIN' }),
    client: link(() => client, { column: 'client_id', readonly: true, filter: true, embed: ['company'] }),
    /** The user's manager. Access rules treat the users who report to a manager as that manager's team. */
    manager: link((): Resource => user, { filter: true }),
    /** User who takes over this user's leads. Set when this user leaves, and cleared when this user returns. */
    handTo: link((): Resource => user, { label: 'Leads handed over to' }),
    handToTeam: flag({ label: 'Leave their leads unassigned' }),
    isRetired: flag({ notWhileImpersonating: true, filter: true, label: 'Retired' }),
    inPhonebook: flag({ default: true, label: 'Shown in the phone book' }),
    lastLoginAt: instant({ readonly: true, order: true }),
    createdAt: instant({ readonly: true }),
    updatedAt: instant({ readonly: true, stamp: 'updated' }),
  },
  allow: {
    read: 'member',
    create: ['ROLE_CLIENT_ADMIN', 'ROLE_USER_ADMIN'],
    update: ['ROLE_CLIENT_ADMIN', 'ROLE_USER_ADMIN'],
    whileImpersonating: ['update'],
    allTenants: 'ROLE_STAFF',
    rows: [{ unless: ['ROLE_CLIENT_ADMIN', 'ROLE_USER_ADMIN'], only: only.mine('id'), butWide: true }],
  },
})

/** The same users under the security service's URL. */
export const securityUser = resource({
  ...user,
  type: 'SecurityUser',
  service: 'security',
  allow: {
    read: 'member',
    allTenants: 'ROLE_STAFF',
    rows: [{ unless: ['ROLE_CLIENT_ADMIN', 'ROLE_USER_ADMIN'], only: only.mine('id'), butWide: true }],
  },
})
