import { flag, instant, link, text } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'
import { client } from '../clients/client.ts'

/** Roles that set the company's default notifications. */
export const ALERT_MANAGERS = ['ROLE_CLIENT_ADMIN', 'ROLE_USER_ADMIN'] as const

/** URL of the notification types with the company's defaults, and of a test e-mail. */
export const ALERTS_PATH = '/api/portal/alerts'
export const ALERT_TEST_PATH = `${ALERTS_PATH}/test`

/** A company's default for a notification type; a user's own setting overrides it. */
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
  allow: { read: ALERT_MANAGERS, create: ALERT_MANAGERS, update: ALERT_MANAGERS },
})
