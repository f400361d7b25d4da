import { email, flag, instant, json, link, phone, strings, text } from '#kernel/fields.ts'
import { type Resource, resource } from '#kernel/resource.ts'
import { only } from '#kernel/row-rules.ts'
import { client } from '#modules/portal/clients/client.ts'

/** Roles that manage users: a client's own administrators, and those of the provider. */
export const USER_MANAGER_ROLES = ['ROLE_CLIENT_ADMIN', 'ROLE_USER_ADMIN'] as const

/** Actions that decide a user's waiting changes. The person who requested them may only cancel them. */
const waitingAction = { allow: USER_MANAGER_ROLES, asksProof: true } as const

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
    /** Protected roles that wait for a second administrator or until `waitingUntil`. */
    waitingRoles: strings({ readonly: true, default: [] }),
    waitingEmail: text({ readonly: true, notNull: true, default: '' }),
    waitingUntil: instant({ readonly: true }),
    waitingBy: text({
      readonly: true,
      notNull: true,
      default: '',
      person: true,
      label: 'Waiting changes requested by',
    }),
    lastLoginAt: instant({ readonly: true, order: true }),
    createdAt: instant({ readonly: true }),
    updatedAt: instant({ readonly: true, stamp: 'updated' }),
  },
  allow: {
    read: 'member',
    create: USER_MANAGER_ROLES,
    update: USER_MANAGER_ROLES,
    whileImpersonating: ['update'],
    allTenants: 'ROLE_STAFF',
    rows: [{ unless: USER_MANAGER_ROLES, only: only.mine('id'), butWide: true }],
  },
  actions: {
    confirmWaiting: {
      path: 'confirm-waiting',
      title: 'Confirm waiting changes',
      ...waitingAction,
      /** Waiting roles and e-mail address that the person read; empty if none wait. Nothing else is confirmed. */
      input: {
        roles: strings({ default: [], label: 'Waiting roles' }),
        email: text({ default: '', label: 'Waiting e-mail address' }),
      },
      rows: [{ unless: 'nobody', only: only.others('waitingBy') }],
    },
    cancelWaiting: { path: 'cancel-waiting', title: 'Cancel waiting changes', ...waitingAction, input: {} },
  },
})

const { actions: _, ...sameUser } = user

/** The same users under the security service's URL. */
export const securityUser = resource({
  ...sameUser,
  type: 'SecurityUser',
  service: 'security',
  allow: {
    read: 'member',
    allTenants: 'ROLE_STAFF',
    rows: [{ unless: USER_MANAGER_ROLES, only: only.mine('id'), butWide: true }],
  },
})
