import { flag, instant, link, text } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'
import { client } from '../clients/client.ts'

/** Roles that may set the company's default notifications. */
export const ALERT_MANAGER_ROLES = ['ROLE_CLIENT_ADMIN', 'ROLE_USER_ADMIN'] as const

/** URL that lists the notification types with the company's defaults. */
export const ALERTS_PATH = '/api/portal/alerts'
export const ALERT_TEST_PATH = `${ALERTS_PATH}/test`

/** A company's default for a notification type. A user's own setting overrides the default. */
export const alertRule = resource({
  type: 'AlertRule',
  service: 'portal',
  path: 'alert_rules',
  table: 'alert_rule',
  tenant: 'own',
  title: 'kind',
  order: ['kind'],
  fields: {
    client: link(() => client, { column: 'client_id', readonly: true, filter: true }),
    kind: text({ required: true, max: 100, filter: true }),
    bell: flag({ default: true, label: 'Bell' }),
    daily: flag({ label: 'Daily e-mail' }),
    lastEditBy: text({ readonly: true, stamp: 'editor', label: 'Changed by', person: true }),
    updatedAt: instant({ readonly: true, stamp: 'updated' }),
  },
  allow: { read: ALERT_MANAGER_ROLES, create: ALERT_MANAGER_ROLES, update: ALERT_MANAGER_ROLES },
})
