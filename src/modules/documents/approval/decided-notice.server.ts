import { user } from '#modules/identity/people/user.ts'
import { notify } from '#modules/portal/notices/notify.server.ts'
import { eventHandler } from '#server/engine/handler.ts'
import { type NotificationType, notificationType } from '#server/engine/notification-type.ts'
import { printDue } from '../printing/print-due.ts'
import { AUTHORS } from '../rights.ts'
import { document } from '../types/document.ts'
import type { DocumentKind } from '../types/kind.ts'
import { nameOf, viewOf } from '../types/notice-words.ts'

/** What somebody has written was approved, or rejected and why. */
export const decidedNotice = (kinds: readonly DocumentKind[]) =>
  notificationType({
    kind: 'document.decided',
    label: 'Documents of mine that were approved or rejected',
    for: AUTHORS,
    icon: 'clipboard',
    of: document,
    words: (doc) =>
      doc.state === 'rejected'
        ? `Rejected: ${nameOf(doc)}${doc.decisionNote ? `: “${doc.decisionNote}”` : ''}`
        : `Approved: ${nameOf(doc)}`,
    path: ({ kind, id }) => viewOf(kinds, kind, id),
    mail: true,
  })

/** Tells those who wrote or completed a revision what was decided on it, but for whoever decided. */
export const tellWhoWrote = (kind: NotificationType) =>
  eventHandler(printDue, {
    name: 'document.tell-who-wrote',
    queue: 'events',
    run: async (c, { document: id }) => {
      const [doc] = await c.lockAll(document, { id, state: ['rejected', 'current'] })
      if (!doc) return
      const [by, since] = doc.state === 'rejected' ? [doc.endedBy, doc.endedAt] : [doc.authorUsername, doc.approvedAt]
      const wrote = [doc.author, doc.completedBy].flatMap((who) => (who && who !== by ? who : []))
      const people = wrote.length ? await c.find(user, { username: wrote, isRetired: false }) : []
      await notify(
        c,
        kind,
        people.map((p) => ({ to: p.id, about: id, since: since ?? undefined })),
      )
    },
  })
