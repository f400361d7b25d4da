import { instant, integer, text } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'

export const FEED_URL = '/api/employees/leave_feed'
/** Address that calendar programs read, without signing in. */
export const FEED_FILE_URL = '/api/employees/leave_feeds'

/** Secret address of a user's calendar feed. Only its hash is stored, so it is shown once. */
export const leaveFeed = resource({
  type: 'LeaveFeed',
  service: 'employees',
  path: 'leave_feed_links',
  table: 'leave_feed',
  tenant: 'own',
  fields: {
    user: integer({ readonly: true, notNull: true, column: 'user_id' }),
    hash: text({ readonly: true, notNull: true }),
    createdAt: instant({ readonly: true, notNull: true }),
    withdrawnAt: instant({ readonly: true }),
  },
  allow: { read: 'nobody' },
  pack: 'holidays',
})
