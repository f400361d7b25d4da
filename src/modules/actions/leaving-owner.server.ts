import { z } from 'zod'
import { defineEvent } from '#kernel/event.ts'
import type { RowOf } from '#kernel/resource.ts'
import { DOCUMENT_APPROVER_ROLES } from '#modules/documents/rights.ts'
import { user } from '#modules/identity/people/user.ts'
import { notifyUsers } from '#modules/portal/notices/notify.server.ts'
import { findUsersWithRoles } from '#server/auth/accounts.ts'
import { guard } from '#server/engine/guard.ts'
import { eventHandler } from '#server/engine/handler.ts'
import { declareNotificationType } from '#server/engine/module.ts'
import type { Context } from '#server/engine/types.ts'
import { correctiveAction, OPEN_ACTION_STATES } from './corrective-action.ts'
import { actionsNav, correctiveActionPath } from './nav.ts'

const MAX_TITLE_CHARACTERS = 120

/** A user can no longer sign in and may own corrective actions. */
const ownerLeft = defineEvent({ kind: 'action.owner-left', version: 1, payload: z.object({ user: z.int() }) })

/** Notification type: the owner of an open action can no longer sign in. It remains until another owner is chosen. */
const ownerLeftNotice = declareNotificationType({
  kind: 'action.owner-left',
  label: 'Corrective actions of people who can no longer sign in',
  for: DOCUMENT_APPROVER_ROLES,
  icon: actionsNav.register.icon,
  of: correctiveAction,
  words: ({ number, managerName, ownerLeft, description }) =>
    ownerLeft
      ? `${managerName} can no longer sign in. Choose another person for corrective action ${number}: ${description.slice(0, MAX_TITLE_CHARACTERS)}`
      : `Corrective action ${number} is assigned to ${managerName}`,
  path: ({ id }) => correctiveActionPath(id),
  waits: 'Documents',
  todo: 'to hand on',
  mail: true,
})

/** Notifies the company's approvers that actions need another owner. */
export async function requestNewOwner(
  c: Context,
  actions: readonly Pick<RowOf<typeof correctiveAction>, 'id'>[],
): Promise<void> {
  if (!actions.length) return
  const people = await findUsersWithRoles(c.work.tx, c.clientId, [...DOCUMENT_APPROVER_ROLES])
  await notifyUsers(
    c,
    ownerLeftNotice,
    people.flatMap(({ userId }) => actions.map(({ id }) => ({ to: userId, about: id }))),
  )
}

const notifyApprovers = eventHandler(ownerLeft, {
  name: 'action.request-new-owner',
  queue: 'events',
  run: async (c, { user: id }) => {
    if (!(await c.get(user, id))?.isRetired) return
    await requestNewOwner(
      c,
      await c.find(correctiveAction, { owner: id, state: [...OPEN_ACTION_STATES], retired: false }),
    )
  },
})

const ownerGuard = guard(user, {
  change: {
    isRetired: async (c, { id }, isRetired) => {
      if (isRetired) await c.emit(ownerLeft, { user: id })
    },
  },
})

export const leavingOwners = {
  guards: [ownerGuard],
  handlers: [notifyApprovers],
  notifications: [ownerLeftNotice],
} as const
