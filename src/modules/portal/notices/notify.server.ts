import { can } from '#kernel/can.ts'
import { type Actor, hasRole } from '#kernel/roles.ts'
import type { NotificationType } from '#server/engine/module.ts'
import { registryOf } from '#server/engine/registry.ts'
import type { Context, Engine } from '#server/engine/types.ts'

/**
 * A user's setting for a notification type: whether it is shown in the bell and inbox, and whether it is included in
 * the daily e-mail.
 */
interface NotificationSetting {
  readonly kind: NotificationType
  readonly bell: boolean
  readonly mail: boolean
}

interface Row {
  readonly kind: string
  readonly bell: boolean
  readonly mail: boolean
}

/**
 * Reads the settings that apply to all notification types a user can receive. The user's own setting takes precedence
 * over the company's, and the company's over the type's default.
 */
export async function readNotificationSettings(engine: Engine, actor: Actor): Promise<NotificationSetting[]> {
  const kinds = [...registryOf(engine).notifications.values()].filter(
    (kind) => hasRole(actor, kind.for) && can(actor, 'read', kind.of),
  )
  if (!kinds.length) return []
  const { own, company } = await engine.db.tx({ clientId: actor.clientId }, async (tx) => ({
    own: await tx.rows<Row>('SELECT kind, bell, mail FROM notice_setting WHERE client_id = $1 AND user_id = $2', [
      actor.clientId,
      actor.userId,
    ]),
    company: await tx.rows<Row>('SELECT kind, bell, daily AS mail FROM alert_rule WHERE client_id = $1', [
      actor.clientId,
    ]),
  }))
  return kinds.map((kind) => {
    const said = [own, company].flatMap((rows) => rows.filter((one) => one.kind === kind.kind))[0]
    return { kind, bell: said?.bell ?? true, mail: said?.mail ?? kind.mail }
  })
}

/** Recipient and record of a notification, and the time of the event (by default, now). */
export interface NotificationTarget {
  readonly to: number
  readonly about: number
  readonly since?: string | undefined
  /** True to count the notification as an open task but not as unread. */
  readonly read?: boolean
}

/**
 * Notifies users, given by user ID, about records. Skips users who have left. A repeated notification becomes unread
 * again only if its event is later than the previous one.
 */
export async function notifyUsers(
  c: Context,
  kind: NotificationType,
  told: readonly NotificationTarget[],
): Promise<void> {
  if (registryOf(c.engine).notifications.get(kind.kind) !== kind)
    throw new Error(`No module lists the notification type "${kind.kind}"`)
  if (!told.length) return
  await c.work.tx.rows(
    `INSERT INTO notice (client_id, user_id, kind, about, since, read_at)
     SELECT DISTINCT ON (u.id, n.about) $1, u.id, $2, n.about, n.since, CASE WHEN n.read THEN portal_now() END
     FROM unnest($3::bigint[], $4::bigint[], $5::timestamptz[], $6::boolean[]) n (who, about, since, read)
     JOIN user_account u ON u.client_id = $1 AND u.id = n.who AND NOT u.is_retired
     ORDER BY u.id, n.about, n.since DESC
     ON CONFLICT (client_id, user_id, kind, about) DO UPDATE SET since = excluded.since, read_at = excluded.read_at, ended_at = NULL, mailed_at = NULL
       WHERE notice.since < excluded.since`,
    [
      c.clientId,
      kind.kind,
      told.map((one) => one.to),
      told.map((one) => one.about),
      told.map((one) => one.since ?? c.now.toString()),
      told.map((one) => one.read ?? false),
    ],
  )
  c.work.touched.add('notice')
}
