import { appStatus } from '#modules/portal/packs/app-status.ts'
import type { Route } from '#server/engine/route.ts'
import { subListRoute } from '#server/http/list-route.ts'
import { crmClient } from './crm-client.ts'

export const clientRoutes: readonly Route[] = [
  subListRoute({
    path: `${crmClient.url}/{id}/applications`,
    title: 'What a client has of each product',
    of: crmClient,
    r: appStatus,
    where: (id) => `t.client_id = ${id}`,
    allow: 'ROLE_STAFF',
  }),
]
