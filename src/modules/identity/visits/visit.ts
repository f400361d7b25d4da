import { instant, text } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'

/** A time when somebody from outside worked inside a client's portal: who, as whom, why, from when to when. */
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
    /** When the visitor went on from looking to changing things, and why. */
    changesAllowedAt: instant({ readonly: true, column: 'writes_from' }),
    changesReason: text({ readonly: true, column: 'write_reason' }),
    startedAt: instant({ readonly: true, filter: true, order: true }),
    until: instant({ readonly: true }),
    endedAt: instant({ readonly: true }),
  },
  allow: { read: ['ROLE_CLIENT_ADMIN', 'ROLE_USER_ADMIN'], allTenants: 'ROLE_USER_ADMIN' },
})
