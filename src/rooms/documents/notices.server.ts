import { idAtEnd } from '#kernel/iri.ts'
import { user } from '#rooms/identity/people/user.ts'
import { notify } from '#rooms/portal/offers.server.ts'
import type { Context } from '#server/engine/context.ts'
import { listener } from '#server/engine/listener.ts'
import { type NoticeKind, noticeKind } from '#server/engine/notice-kind.ts'
import { document } from './kinds/document.ts'
import type { DocumentKind } from './kinds/kind.ts'
import { printDue } from './printing/print-due.ts'
import { APPROVERS, READERS } from './rights.ts'
import { signOffPerson } from './signoff/sign-off.ts'

const viewOf = (kinds: readonly DocumentKind[], kind: string | undefined | null, id: number | undefined) => {
  const screens = kinds.find((one) => one.kind === kind)?.screens
  return screens && id ? `${screens.list}/view/${id}` : '/dashboard'
}

const nameOf = (doc: { documentNumber?: string | null; title?: string | null } | null | undefined) =>
  `${doc?.documentNumber ?? ''} ${doc?.title || 'Untitled'}`.trim()

/** Somebody is asked to sign. */
export const signNotice = (kinds: readonly DocumentKind[]) =>
  noticeKind({
    kind: 'document.sign',
    label: 'Documents to sign',
    for: READERS,
    icon: 'clipboard',
    of: signOffPerson,
    words: ({ document: doc, revision }) => `${revision === null ? 'To sign' : 'To sign again'}: ${nameOf(doc)}`,
    path: ({ document: doc }) => viewOf(kinds, doc?.kind, idAtEnd(doc?.['@id'])),
    waits: 'Safety',
    mail: false,
  })

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
    mail: true,
  })

/** Tells those who are asked to sign a document, each of their own request. */
export async function tellWhoSigns(c: Context, kind: NoticeKind, asked: readonly Asked[]): Promise<void> {
  await notify(
    c,
    kind,
    asked.flatMap(({ id, user: to, askedAt }) => (to === null ? [] : [{ to, about: id, since: askedAt }])),
  )
}

interface Asked {
  readonly id: number
  readonly user: number | null
  readonly askedAt: string
}

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
