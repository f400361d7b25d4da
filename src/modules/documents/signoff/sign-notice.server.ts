import { idAtEnd } from '#kernel/iri.ts'
import type { RowOf } from '#kernel/resource.ts'
import { notifyUsers } from '#modules/portal/notices/notify.server.ts'
import { type NotificationType, notificationType } from '#server/engine/notification-type.ts'
import type { Context } from '#server/engine/types.ts'
import { DOCUMENT_READERS } from '../rights.ts'
import type { DocumentKind } from '../types/kind.ts'
import { documentName, notificationLink } from '../types/notice-words.ts'
import { signOffPerson } from './sign-off.ts'

export const signatureRequestNotice = (kinds: readonly DocumentKind[]) =>
  notificationType({
    kind: 'document.sign',
    label: 'Documents to sign',
    for: DOCUMENT_READERS,
    icon: 'clipboard',
    of: signOffPerson,
    words: ({ document: doc, revision }) => `${revision === null ? 'To sign' : 'To sign again'}: ${documentName(doc)}`,
    path: ({ document: doc }) => notificationLink(kinds, doc?.kind, idAtEnd(doc?.['@id'])),
    waits: 'Safety',
    todo: 'to sign',
    mail: false,
  })

/** Notifies the people asked to sign a document, each of their own request. */
export const notifyRequestedSignatories = (
  c: Context,
  kind: NotificationType,
  asked: readonly RowOf<typeof signOffPerson>[],
): Promise<void> =>
  notifyUsers(
    c,
    kind,
    asked.flatMap(({ id, user: to, askedAt }) => (to === null ? [] : [{ to, about: id, since: askedAt }])),
  )
