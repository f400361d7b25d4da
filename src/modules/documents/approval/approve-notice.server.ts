import type { RowOf } from '#kernel/resource.ts'
import { user } from '#modules/identity/people/user.ts'
import { client } from '#modules/portal/clients/client.ts'
import { notify } from '#modules/portal/notices/notify.server.ts'
import { eventHandler } from '#server/engine/handler.ts'
import { type NotificationType, notificationType } from '#server/engine/notification-type.ts'
import { schedule } from '#server/engine/schedule.ts'
import type { Context } from '#server/engine/types.ts'
import { sweep } from '#server/jobs/sweep.ts'
import { printDue } from '../printing/print-due.ts'
import { APPROVERS } from '../rights.ts'
import { document } from '../types/document.ts'
import type { DocumentKind } from '../types/kind.ts'
import { nameOf, viewOf } from '../types/notice-words.ts'
import { isOwnWork } from '../types/self-approval.ts'

/** A revision waits for approval. */
export const approveNotice = (kinds: readonly DocumentKind[]) =>
  notificationType({
    kind: 'document.approve',
    label: 'Documents to approve',
    for: APPROVERS,
    icon: 'check',
    of: document,
    words: (doc) => `To approve: ${nameOf(doc)}`,
    path: ({ kind, id }) => viewOf(kinds, kind, id),
    waits: 'Safety',
    todo: 'to approve',
    mail: true,
  })

/**
 * Tells those who decide that a revision waits for them. Whoever wrote or completed it knows, and has it to approve like the others,
 * unless their company has said that another person does: what is counted is what `to_approve` lists.
 */
async function tell(c: Context, kind: NotificationType, doc: RowOf<typeof document>): Promise<void> {
  const [people, [own]] = [await c.find(user, { isRetired: false }), await c.find(client, { id: c.clientId })]
  const who = people.filter((p) => APPROVERS.some((role) => p.roles.includes(role)))
  await notify(
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

export const tellWhoApproves = (kind: NotificationType) =>
  eventHandler(printDue, {
    name: 'document.tell-who-approves',
    queue: 'events',
    run: async (c, { document: id }) => {
      const [doc] = await c.lockAll(document, { id, state: 'complete', retired: false })
      if (doc) await tell(c, kind, doc)
    },
  })

/** Each morning: the same for those who approve since. Nobody hears of anything twice. */
export const tellNewApprovers = (kind: NotificationType) =>
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
