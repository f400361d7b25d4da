import { instant, text } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'

/**
 * Impersonation: a period in which a provider user worked in a client's portal, with the user, reason, start and end.
 */
export const visit = resource({
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
    /** Time from which changes were allowed, with the reason. */
    changesAllowedAt: instant({ readonly: true, column: 'writes_from' }),
    changesReason: text({ readonly: true, column: 'write_reason' }),
    startedAt: instant({ readonly: true, filter: true, order: true }),
    until: instant({ readonly: true }),
    endedAt: instant({ readonly: true }),
  },
  allow: { read: ['ROLE_CLIENT_ADMIN', 'ROLE_USER_ADMIN'], allTenants: 'ROLE_USER_ADMIN' },
})
