import { londonDate, ukDay } from '#kernel/time.ts'
import { notificationType } from '#server/engine/notification-type.ts'
import type { Context } from '#server/engine/types.ts'
import { remind } from '#server/jobs/remind.ts'
import { notifyUsers } from '../notices/notify.server.ts'
import { FILE_USERS } from './document-folder.ts'
import { fileExpiry, MAX_REMINDER_DAYS } from './expiry.ts'
import { uploadedDocument } from './uploaded-document.ts'

export const expiryNotice = notificationType({
  kind: 'file.expires',
  label: 'Expiring files that I own',
  for: FILE_USERS,
  icon: 'folder',
  of: uploadedDocument,
  words: ({ name, label, expires }) => {
    const called = label || name
    return expires ? `${called} expires on ${ukDay(expires)}` : `${called} no longer expires`
  },
  path: ({ id }) => `/sfp/file-manager?file=${id}`,
  mail: true,
})

/** Notifies a file's owner once per expiry date, as many days in advance as the file says. */
export const fileExpiryReminder = remind({
  name: 'file.expires',
  of: uploadedDocument,
  on: 'expires',
  daily: '07:00',
  // Each file sets its own number of days; earlier than that it is skipped.
  daysBefore: [MAX_REMINDER_DAYS],
  where: { retired: false, replaced: false },
  unless: (c, row) => fileExpiry(row, londonDate(c.now).toString()).stands === 'holds',
  send: async (c, row) => {
    const told = await keepersOf(c, row.userId)
    await notifyUsers(
      c,
      expiryNotice,
      told.map((to) => ({ to, about: row.id })),
    )
  },
})

/** The file's owner; once they have left, the company's file administrators. */
async function keepersOf(c: Context, userId: number | null): Promise<number[]> {
  const found = await c.work.tx.rows<{ id: number; keeper: boolean }>(
    `SELECT id, id = $2 AS keeper FROM user_account WHERE client_id = $1 AND NOT is_retired
       AND (id = $2 OR roles && '{ROLE_CLIENT_ADMIN,ROLE_SAFETY_ADMIN}') ORDER BY id`,
    [c.clientId, userId],
  )
  const keeper = found.filter((one) => one.keeper)
  return (keeper.length ? keeper : found).map(({ id }) => id)
}
