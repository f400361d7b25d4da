import { flag, instant, link, text } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'
import { client } from '../clients/client.ts'
import { ALERT_KEEPERS } from './keepers.ts'

/** Every kind of notice as a company has it, and a letter to try whether the e-mails arrive. */
export const ALERTS = '/api/portal/alerts'
export const ALERT_TEST = `${ALERTS}/test`

/** What a company says of a kind of notice; its people’s own word goes before it. */
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
    bell: flag({ default: true, label: 'In the bell' }),
    daily: flag({ label: 'In the daily e-mail' }),
    lastEditBy: text({ readonly: true, stamp: 'editor', label: 'Changed by', person: true }),
    updatedAt: instant({ readonly: true, stamp: 'updated' }),
  },
  allow: { read: ALERT_KEEPERS, create: ALERT_KEEPERS, update: ALERT_KEEPERS },
})
