import { instant, integer, text } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'

const END = 'least(t.until, t.ended_at)'
const IS_COUNTED = `(t.writes_from IS NULL OR t.counted_at >= ${END} OR (t.counted_at IS NOT NULL AND ${END} > now()))`

/**
 * Impersonation: a period in which a provider user worked in a client's portal as another user. Contains both users,
 * the reason, the start and the end.
 */
export const impersonationPeriod = resource({
  type: 'Visit',
  service: 'portal',
  path: 'visits',
  table: 'visit',
  tenant: 'own',
  order: ['-id'],
  fields: {
    visitorUsername: text({ readonly: true, filter: true }),
    visitorName: text({ readonly: true }),
    asUsername: text({ readonly: true, filter: true }),
    reason: text({ readonly: true }),
    /** Time from which the impersonating user was allowed to make changes. */
    changesAllowedAt: instant({ readonly: true, column: 'writes_from' }),
    changesReason: text({ readonly: true, column: 'write_reason' }),
    /**
     * Number of changes counted so far, and what they concern, such as `Risk assessment (2), Task (1)`. Null until they
     * are counted, which happens again after the end.
     */
    changes: integer({ readonly: true, sql: `CASE WHEN ${IS_COUNTED} THEN t.changes END` }),
    changed: text({ readonly: true, sql: `CASE WHEN ${IS_COUNTED} THEN t.changed END` }),
    countedAt: instant({ readonly: true }),
    startedAt: instant({ readonly: true, filter: true, order: true }),
    until: instant({ readonly: true }),
    endedAt: instant({ readonly: true }),
  },
  allow: { read: ['ROLE_CLIENT_ADMIN', 'ROLE_USER_ADMIN'], allTenants: 'ROLE_USER_ADMIN' },
})
