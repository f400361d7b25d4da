import { choice } from '#kernel/fields.ts'
import { parseId } from '#kernel/iri.ts'
import type { RowOf } from '#kernel/resource.ts'
import { iriOf } from '#kernel/resource.ts'
import { user } from '#modules/identity/people/user.ts'
import { client } from '#modules/portal/clients/client.ts'
import { notifyUsers } from '#modules/portal/notices/notify.server.ts'
import { firstQueryValue } from '#server/data/filters.ts'
import { eventHandler } from '#server/engine/handler.ts'
import { declareNotificationType, feature, type NotificationType } from '#server/engine/module.ts'
import type { Route } from '#server/engine/route.ts'
import { schedule } from '#server/engine/schedule.ts'
import type { Context } from '#server/engine/types.ts'
import { hydraCollection } from '#server/http/list-route.ts'
import { processRowsForAllClients } from '#server/jobs/remind.ts'
import { printDueEvent } from '../printing/print.server.ts'
import { ANY_DOCUMENT_APPROVER_ROLES, ANY_DOCUMENT_AUTHOR_ROLES, DOCUMENT_PACKS, DOCUMENT_ROLES } from '../rights.ts'
import { safetySettings } from '../settings/safety-settings.ts'
import { document } from '../types/document.ts'
import type { DocumentKind } from '../types/kind.ts'
import { documentName, documentNotificationPath } from '../types/kind.ts'
import { isOwnRevision } from '../types/self-approval.ts'

/** Declares the notification that a revision is awaiting approval. */
const approvalRequestNotice = (kinds: readonly DocumentKind[]) =>
  declareNotificationType({
    kind: 'document.approve',
    label: 'Documents to approve',
    for: ANY_DOCUMENT_APPROVER_ROLES,
    icon: 'check',
    of: document,
    words: (doc) => `Awaiting approval: ${documentName(doc)}`,
    path: ({ kind, id }) => documentNotificationPath(kinds, kind, id),
    waits: 'Documents',
    todo: 'to approve',
    mail: true,
  })

/**
 * Notifies the approvers that a revision is awaiting approval. Approvers who wrote or completed the revision receive
 * the notification as already read, so that their number of pending approvals still matches the length of the
 * `to_approve` list. If the company requires a second person, these approvers receive no notification.
 */
async function tell(c: Context, kind: NotificationType, doc: RowOf<typeof document>): Promise<void> {
  const [people, [own]] = [await c.find(user, { isRetired: false }), await c.find(client, { id: c.clientId })]
  const { approvers } = DOCUMENT_ROLES[doc.pack]
  const who = people.filter((p) => approvers.some((role) => p.roles.includes(role)))
  await notifyUsers(
    c,
    kind,
    who.flatMap((p) => {
      const isOwn = isOwnRevision(doc, p.username)
      return isOwn && own?.forbidSelfApproval
        ? []
        : { to: p.id, about: doc.id, since: doc.completedAt ?? doc.updatedAt, read: isOwn }
    }),
  )
}

const notifyApprovers = (kind: NotificationType) =>
  eventHandler(printDueEvent, {
    name: 'document.tell-who-approves',
    queue: 'events',
    run: async (c, { document: id }) => {
      const [doc] = await c.lockAll(document, { id, state: 'complete', retired: false })
      if (doc) await tell(c, kind, doc)
    },
  })

/**
 * Creates the schedule that each morning notifies new approvers of the revisions that are awaiting approval. Nobody is
 * notified of the same revision twice.
 */
const notifyNewApprovers = (kind: NotificationType) =>
  schedule({
    name: 'document.tell-new-approvers',
    every: { daily: '07:00' },
    run: (engine) =>
      processRowsForAllClients(
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

/** Declares the notification that the recipient's document was approved, or rejected with a reason. */
const decidedNotice = (kinds: readonly DocumentKind[]) =>
  declareNotificationType({
    kind: 'document.decided',
    label: 'Decisions on my documents',
    for: ANY_DOCUMENT_AUTHOR_ROLES,
    icon: 'clipboard',
    of: document,
    words: (doc) =>
      doc.state === 'rejected'
        ? `Rejected: ${documentName(doc)}${doc.decisionNote ? `: “${doc.decisionNote}”` : ''}`
        : `Approved: ${documentName(doc)}`,
    path: ({ kind, id }) => documentNotificationPath(kinds, kind, id),
    mail: true,
  })

/**
 * Creates the event handler that notifies the people who wrote or completed a revision of the decision. The person who
 * made the decision is not notified.
 */
const notifyAuthors = (kind: NotificationType) =>
  eventHandler(printDueEvent, {
    name: 'document.tell-who-wrote',
    queue: 'events',
    run: async (c, { document: id }) => {
      const [doc] = await c.lockAll(document, { id, state: ['rejected', 'current'] })
      if (!doc) return
      const [by, since] = doc.state === 'rejected' ? [doc.endedBy, doc.endedAt] : [doc.authorUsername, doc.approvedAt]
      const wrote = [doc.author, doc.completedBy].flatMap((who) => (who && who !== by ? who : []))
      const people = wrote.length ? await c.find(user, { username: wrote, isRetired: false }) : []
      await notifyUsers(
        c,
        kind,
        people.map((p) => ({ to: p.id, about: id, since: since ?? undefined })),
      )
    },
  })

/** Route that lists the names of a company's document approvers. */
const approversRoute: Route = {
  method: 'GET',
  query: { pack: choice(DOCUMENT_PACKS, { help: 'Entitlement of the documents; `safety` by default.' }) },
  path: `${safetySettings.url}/{id}/approvers`,
  title: 'List the names of a company’s document approvers',
  allow: ANY_DOCUMENT_AUTHOR_ROLES,
  listOf: 'objects',
  handle: async ({ engine, me, params, query }) => {
    const pack = DOCUMENT_PACKS.find((one) => one === firstQueryValue(query.pack)) ?? 'safety'
    const { id } = await engine.one(safetySettings, me, parseId(params.id) ?? -1)
    const people = await engine.readIn(id, 'list document approvers', (c) => c.find(user, { isRetired: false }))
    const approve = people.filter((p) => DOCUMENT_ROLES[pack].approvers.some((role) => p.roles.includes(role)))
    return hydraCollection(
      approve
        .toSorted((a, b) => a.name.localeCompare(b.name))
        .map(({ id: one, name, username }) => ({ '@id': iriOf(user, one), id: one, name, username })),
    )
  },
}

export function documentApproval(kinds: readonly DocumentKind[]) {
  const [toApprove, decided] = [approvalRequestNotice(kinds), decidedNotice(kinds)]
  return feature({
    pack: DOCUMENT_PACKS,
    routes: [approversRoute],
    notifications: [toApprove, decided],
    handlers: [notifyApprovers(toApprove), notifyAuthors(decided)],
    schedules: [notifyNewApprovers(toApprove)],
  })
}
