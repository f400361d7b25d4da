import { can } from '#kernel/can.ts'
import { type Actor, hasRole } from '#kernel/roles.ts'
import type { NotificationType } from '#server/engine/module.ts'
import { registryOf } from '#server/engine/registry.ts'
import type { Engine } from '#server/engine/types.ts'

/** A user's setting for a notification type: in the bell and inbox, and in the daily e-mail. */
export interface NotificationSetting {
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
 * Reads the settings in force for all types a user can receive: the user's own, otherwise the company's, otherwise the
 * type's default.
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
