import { user } from '#rooms/identity/people/user.ts'
import { notify } from '#rooms/portal/offers.server.ts'
import { listener } from '#server/engine/listener.ts'
import { type NoticeKind, noticeKind } from '#server/engine/notice-kind.ts'
import { document } from '../kinds/document.ts'
import type { DocumentKind } from '../kinds/kind.ts'
import { nameOf, viewOf } from '../kinds/notice-words.ts'
import { printDue } from '../printing/print-due.ts'
import { APPROVERS } from '../rights.ts'

/** A revision waits for approval. */
export const approveNotice = (kinds: readonly DocumentKind[]) =>
  noticeKind({
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

/** Tells those who decide that a revision waits for them, but for whoever wrote it. */
export const tellWhoApproves = (kind: NoticeKind) =>
  listener(printDue, {
    name: 'document.tell-who-approves',
    lane: 'events',
    run: async (c, { document: id }) => {
      const [doc] = await c.lockAll(document, { id, state: 'complete', retired: false })
      if (!doc) return
      const people = await c.find(user, { isRetired: false })
      const who = people.filter((p) => p.username !== doc.author && APPROVERS.some((role) => p.roles.includes(role)))
      await notify(
        c,
        kind,
        who.map((p) => ({ to: p.id, about: id, since: doc.completedAt ?? undefined })),
      )
    },
  })
