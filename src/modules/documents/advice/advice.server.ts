import { problem } from '#kernel/errors.ts'
import { type Actor, authorOf, PROVIDER_CLIENT_ID } from '#kernel/roles.ts'
import { composeEmail, defineEmail, emailGreeting, emailSignature } from '#kernel/system-email.ts'
import { user } from '#modules/identity/people/user.ts'
import { emailRequested } from '#modules/portal/mail/letter.ts'
import { notifyUsers } from '#modules/portal/notices/notify.server.ts'
import { behaviour } from '#server/engine/behaviour.ts'
import { declareNotificationType, feature, type NotificationType } from '#server/engine/module.ts'
import { RecordNotAccessibleProblem } from '#server/engine/refusals.ts'
import { DOCUMENT_AUTHOR_ROLES } from '../rights.ts'
import { document } from '../types/document.ts'
import type { DocumentKind } from '../types/kind.ts'
import { documentName, documentNotificationPath } from '../types/kind.ts'
import { adviceRequest } from './advice-request.ts'

/** Declares the notification that the consultant has answered a question. */
const adviceNotice = (kinds: readonly DocumentKind[]) =>
  declareNotificationType({
    kind: 'document.advice',
    label: 'Answers from your consultant',
    for: DOCUMENT_AUTHOR_ROLES,
    icon: 'clipboard',
    of: adviceRequest,
    words: ({ consultantName, document: about }) =>
      `${consultantName} has answered your question about ${documentName(about)}`,
    path: ({ document: about }) => documentNotificationPath(kinds, about.kind, about.id),
    mail: false,
  })

interface AdviceFacts {
  readonly name: string
  /** Number and title of the document. */
  readonly document: string
  readonly question: string
  readonly answer: string
  readonly consultant: string
}

const adviceEmail = defineEmail<AdviceFacts>({
  name: 'consultant-answer',
  title: 'Consultant’s answer to a question about a document',
  subject: ({ document: about }) => `Your question about ${about}`,
  paragraphs: ({ name, question, answer, consultant }) => [
    emailGreeting(name),
    'You asked:',
    question,
    answer,
    emailSignature(consultant),
  ],
  sample: {
    name: 'Ann Carter',
    document: 'RA-00012 Work at height',
    question: 'Does this cover ladders?',
    answer: 'Yes, in section 3.',
    consultant: 'Sam Taylor',
  },
})

/** Returns the fields that record the actor as the consultant. Throws 403 for users of other companies. */
function consultantIn(actor: Actor) {
  const who = authorOf(actor)
  if (who.clientId !== PROVIDER_CLIENT_ID) throw problem.forbidden('Only your provider’s consultants can answer.')
  return { consultant: who.username, consultantName: who.name }
}

const adviceBehaviours = (notice: NotificationType) =>
  behaviour(adviceRequest, {
    lockedRelations: ['document'],
    beforeSave: async (c) => {
      const { before, values } = c
      if (before) return undefined
      const about = await c.lock(document, values.document ?? 0).catch((e: unknown) => {
        throw e instanceof RecordNotAccessibleProblem
          ? problem.conflict('Please choose one of your own company’s documents.')
          : e
      })
      if (about.pack !== 'safety') throw problem.conflict('Consultants answer questions about safety documents only.')
      if (await c.exists(adviceRequest, { document: about.id, state: ['asked', 'taken'] }))
        throw problem.conflict(
          'You already have an open question about this document. Please wait for the answer, or withdraw that question.',
        )
      return { user: c.actor.userId, createdAt: c.now.toString() }
    },
    actions: {
      take: ({ actor }) => ({ set: { ...consultantIn(actor), state: 'taken' as const } }),
      answer: async (c) => {
        const { row, input, actor } = c
        const who = consultantIn(actor)
        const [asker, about] = [await c.get(user, row.user), await c.get(document, row.document)]
        if (asker?.email && about)
          await c.emit(emailRequested, {
            to: asker.email,
            ...composeEmail(adviceEmail, {
              name: asker.name,
              document: documentName(about),
              question: row.question,
              answer: input.answer,
              consultant: who.consultantName,
            }),
            author: who.consultant,
            about: `${adviceRequest.url}/${row.id}`,
          })
        await notifyUsers(c, notice, [{ to: row.user, about: row.id }])
        return { set: { ...who, answer: input.answer, answeredAt: c.now.toString(), state: 'answered' as const } }
      },
    },
  })

export function documentAdvice(kinds: readonly DocumentKind[]) {
  const notice = adviceNotice(kinds)
  return feature({
    resources: [adviceRequest],
    behaviours: [adviceBehaviours(notice)],
    notifications: [notice],
    emails: [adviceEmail],
    seeds: () => import('./demo.server.ts'),
  })
}
