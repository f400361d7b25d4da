import type { RowOf } from '#kernel/resource.ts'
import { PROVIDER_CLIENT_ID } from '#kernel/roles.ts'
import { londonDate } from '#kernel/time.ts'
import { user } from '#modules/identity/people/user.ts'
import { notifyUsers } from '#modules/portal/notices/notify.server.ts'
import { declareNotificationType, feature } from '#server/engine/module.ts'
import { schedule } from '#server/engine/schedule.ts'
import type { Context } from '#server/engine/types.ts'
import { processRowsForAllClients } from '#server/jobs/remind.ts'
import { contact } from '../contacts/contact.ts'
import { staff } from '../staff/staff.ts'

const callbackNotification = declareNotificationType({
  kind: 'lead.callback',
  label: 'Due callbacks',
  for: 'ROLE_STAFF',
  icon: 'phone',
  of: contact,
  words: ({ id, companyName, name }) => `Call back: ${companyName || name || `Lead ${id}`}`,
  path: ({ id }) => `/crm/contact/view/${id}`,
  waits: 'Sales',
  todo: 'to call back',
  mail: false,
})

/** Maximum age, in hours, of a callback for which notifications are sent. Allows for a long weekend. */
const NEWS_HOURS = 4 * 24

const isAway = `s.away_until >= (portal_now() AT TIME ZONE 'Europe/London')::date`

/** Returns the IDs of the users to notify: the callback's owner or, if the owner is away, all staff who are present. */
async function whomToTell(c: Context, owner: RowOf<typeof staff>, today: string): Promise<number[]> {
  const isThere = ({ awayUntil }: RowOf<typeof staff>) => awayUntil === null || awayUntil < today
  if (isThere(owner)) return owner.user === null ? [] : [owner.user]
  const team = (await c.find(staff, { retired: false, tray: false })).filter(isThere).flatMap(({ user }) => user ?? [])
  const active = new Set((await c.find(user, { id: team, isRetired: false })).map(({ id }) => id))
  return team.filter((id) => active.has(id))
}

/**
 * Schedule that notifies owners of due callbacks, once per callback. If the owner is away, the team is notified
 * instead. Callbacks that have been due for longer than a long weekend remain due, but nobody is notified.
 */
const notifyDueCallbacks = schedule({
  name: 'leads.tell-callbacks',
  every: { minutes: 1 },
  run: (engine) => {
    const now = engine.clock.now()
    return processRowsForAllClients(
      engine,
      {
        of: contact,
        where: { retired: false, doNotCall: false },
        reason: 'leads.tell-callbacks',
        condition: (
          next,
        ) => `t.client_id = ${PROVIDER_CLIENT_ID} AND t.callback_date <= ${next(now.toString())}::timestamptz
          AND EXISTS (SELECT FROM staff s JOIN user_account u ON u.client_id = s.client_id AND u.id = s.user_id AND NOT u.is_retired
            WHERE s.client_id = t.client_id AND s.id = t.owner_id
            AND NOT EXISTS (SELECT FROM notice n WHERE n.client_id = t.client_id AND (n.user_id = u.id OR ${isAway})
              AND n.kind = ${next(callbackNotification.kind)}::text AND n.about = t.id AND n.since >= t.callback_date))`,
      },
      async (c, lead) => {
        const owner = lead.owner === null ? undefined : await c.get(staff, lead.owner)
        if (!owner?.user || lead.callbackDate === null) return
        const to = await whomToTell(c, owner, londonDate(now).toString())
        const since = Temporal.Instant.fromEpochMilliseconds(lead.callbackDate * 1000)
        const read = Temporal.Instant.compare(since, now.subtract({ hours: NEWS_HOURS })) < 0
        await notifyUsers(
          c,
          callbackNotification,
          to.map((id) => ({ to: id, about: lead.id, since: since.toString(), read })),
        )
      },
    )
  },
})

export const callbacks = feature({
  schedules: [notifyDueCallbacks],
  notifications: [callbackNotification],
})
