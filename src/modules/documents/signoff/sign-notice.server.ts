import { idAtEnd } from '#kernel/iri.ts'
import type { RowOf } from '#kernel/resource.ts'
import { notify } from '#modules/portal/notices/notify.server.ts'
import { type NotificationType, notificationType } from '#server/engine/notification-type.ts'
import type { Context } from '#server/engine/types.ts'
import { READERS } from '../rights.ts'
import type { DocumentKind } from '../types/kind.ts'
import { nameOf, viewOf } from '../types/notice-words.ts'
import { signOffPerson } from './sign-off.ts'

export const signNotice = (kinds: readonly DocumentKind[]) =>
  notificationType({
    kind: 'document.sign',
    label: 'Documents to sign',
    for: READERS,
    icon: 'clipboard',
    of: signOffPerson,
    words: ({ document: doc, revision }) => `${revision === null ? 'To sign' : 'To sign again'}: ${nameOf(doc)}`,
    path: ({ document: doc }) => viewOf(kinds, doc?.kind, idAtEnd(doc?.['@id'])),
    waits: 'Safety',
    todo: 'to sign',
    mail: false,
  })

/** Notifies the people asked to sign a document, each of their own request. */
export const tellWhoSigns = (
  c: Context,
  kind: NotificationType,
  asked: readonly RowOf<typeof signOffPerson>[],
): Promise<void> =>
  notify(
    c,
    kind,
    asked.flatMap(({ id, user: to, askedAt }) => (to === null ? [] : [{ to, about: id, since: askedAt }])),
  )
