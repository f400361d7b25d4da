import { instant, integer, text } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'
import { only } from '#kernel/row-rules.ts'

/**
 * A notification about one record, of a type that a module declares. The text is rendered from the record each time the
 * notification is read.
 */
export const notice = resource({
  type: 'Notice',
  service: 'portal',
  path: 'notices',
  table: 'notice',
  tenant: 'own',
  title: 'kind',
  order: ['-since'],
  fields: {
    kind: text({ readonly: true, notNull: true, filter: true }),
    /** ID of the record that the notification is about. */
    about: integer({ readonly: true, notNull: true }),
    since: instant({ readonly: true, notNull: true, order: true, filter: true }),
    readAt: instant({ readonly: true, filter: true }),
    /** Time at which nothing was left for the user to do. */
    endedAt: instant({ readonly: true, filter: true }),
    user: integer({ column: 'user_id', readonly: true, visible: 'nobody' }),
  },
  allow: { read: 'member', rows: [{ unless: [], only: only.mine('user') }] },
  actions: {
    markRead: { path: 'read', title: 'Mark as read', allow: 'member', input: {} },
    markUnread: { path: 'unread', title: 'Mark as unread', allow: 'member', input: {} },
  },
})

export const INBOX_PATH = `${notice.url}/inbox`
export const INBOX_SUMMARY_PATH = `${notice.url}/summary`
export const MARK_ALL_READ_PATH = `${notice.url}/read_all`
export const NOTIFICATION_SETTINGS_PATH = `${notice.url}/settings`
