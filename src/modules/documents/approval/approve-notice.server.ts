import type { RowOf } from '#kernel/resource.ts'
import { user } from '#modules/identity/people/user.ts'
import { client } from '#modules/portal/clients/client.ts'
import { notifyUsers } from '#modules/portal/notices/notify.server.ts'
import { eventHandler } from '#server/engine/handler.ts'
import { type NotificationType, notificationType } from '#server/engine/notification-type.ts'
import { schedule } from '#server/engine/schedule.ts'
import type { Context } from '#server/engine/types.ts'
import { sweep } from '#server/jobs/sweep.ts'
import { printDueEvent } from '../printing/print-due.ts'
import { DOCUMENT_APPROVERS } from '../rights.ts'
import { document } from '../types/document.ts'
import type { DocumentKind } from '../types/kind.ts'
import { documentName, notificationLink } from '../types/notice-words.ts'
import { isOwnWork } from '../types/self-approval.ts'

/** Notification: a revision is awaiting approval. */
export const approvalRequestNotice = (kinds: readonly DocumentKind[]) =>
  notificationType({
    kind: 'document.approve',
    label: 'Documents to approve',
    for: DOCUMENT_APPROVERS,
    icon: 'check',
    of: document,
    words: (doc) => `Awaiting approval: ${documentName(doc)}`,
    path: ({ kind, id }) => notificationLink(kinds, kind, id),
    waits: 'Safety',
    todo: 'to approve',
    mail: true,
  })

/**
 * Notifies the approvers that a revision is awaiting approval, except its author and whoever completed it: they know.
 * Their count includes it all the same, unless the company requires another person: the count equals the list
 * `to_approve`.
 */
async function tell(c: Context, kind: NotificationType, doc: RowOf<typeof document>): Promise<void> {
  const [people, [own]] = [await c.find(user, { isRetired: false }), await c.find(client, { id: c.clientId })]
  const who = people.filter((p) => DOCUMENT_APPROVERS.some((role) => p.roles.includes(role)))
  await notifyUsers(
    c,
    kind,
    who.flatMap((p) => {
      const isOwn = isOwnWork(doc, p.username)
      return isOwn && own?.forbidSelfApproval
        ? []
        : { to: p.id, about: doc.id, since: doc.completedAt ?? doc.updatedAt, read: isOwn }
    }),
  )
}

export const notifyApprovers = (kind: NotificationType) =>
  eventHandler(printDueEvent, {
    name: 'document.tell-who-approves',
    queue: 'events',
    run: async (c, { document: id }) => {
      const [doc] = await c.lockAll(document, { id, state: 'complete', retired: false })
      if (doc) await tell(c, kind, doc)
    },
  })

/** Each morning, notifies people who became approvers since. Nobody is notified twice. */
export const notifyNewApprovers = (kind: NotificationType) =>
  schedule({
    name: 'document.tell-new-approvers',
    every: { daily: '07:00' },
    run: (engine) =>
      sweep(
        engine,
        {
          of: document,
          where: { state: 'complete', retired: false },
          condition: () => 'true',
          reason: 'document.tell-new-approvers',
        },
        (c, doc) => tell(c, kind, doc),
      ),
  })
