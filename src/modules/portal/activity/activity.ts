import { choice, instant, link, text } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'
import { only } from '#kernel/row-rules.ts'
import { user } from '#modules/identity/people/user.ts'
import { client } from '../clients/client.ts'

/** Which version of the portal somebody has seen last. */
export const versionControl = resource({
  type: 'VersionControl',
  service: 'portal',
  path: 'version_controls',
  table: 'version_control',
  tenant: 'own',
  order: ['id'],
  fields: {
    client: link(() => client, { column: 'client_id', readonly: true, filter: true }),
    user: link(() => user, { readonly: true, filter: true, notNull: true }),
    product: choice(['portal'], { readonly: true, default: 'portal' }),
    version: text({ default: '', max: 40 }),
    updatedAt: instant({ readonly: true, stamp: 'updated' }),
  },
  allow: { read: 'member', create: 'member', update: 'member', rows: [{ unless: [], only: only.mine('user') }] },
})

/** When a company last used a part of the portal. */
export const applicationActivity = resource({
  type: 'ApplicationActivity',
  service: 'portal',
  path: 'application_activities',
  table: 'application_activity',
  tenant: 'own',
  title: 'applicationName',
  order: ['-lastActivityAt'],
  fields: {
    client: link(() => client, { column: 'client_id', readonly: true, filter: true }),
    applicationName: text({ required: true, max: 60, filter: true }),
    lastActivityAt: instant({ notNull: true, filter: true, order: true }),
  },
  allow: { read: 'member', create: 'member', update: 'member', allTenants: 'ROLE_STAFF' },
})
