import { problem } from '#kernel/errors.ts'
import type { RowOf } from '#kernel/resource.ts'
import { document, signature } from '#modules/documents/types/document.ts'
import type { Context } from '#server/engine/types.ts'
import type { AttendeeDraft } from './people.server.ts'
import { toolboxTalk } from './toolbox-talk.ts'

type Talk = RowOf<typeof document>

const talkOf = (c: Context, id: number): Promise<Talk | undefined> => c.once(`talk ${id}`, () => c.get(document, id))

const isInForce = (talk: Talk | undefined) => talk?.kind === toolboxTalk.kind && talk.current && !talk.retired

/** Returns the title of a talk. Throws 409 if it can't be presented. */
export async function loadPresentableTitle(c: Context, id: number | undefined): Promise<string> {
  const talk = id === undefined ? undefined : await talkOf(c, id)
  if (!isInForce(talk)) throw problem.conflict('This talk is not in force. Please choose a talk that is in force.')
  return talk?.title ?? ''
}

/** Throws 409 if the presented revision is no longer in force. */
export async function assertTalkInForce(c: Context, id: number | undefined): Promise<void> {
  if (id !== undefined && isInForce(await talkOf(c, id))) return
  throw problem.conflict('This talk is no longer in force. Please present the current revision.')
}

/**
 * Signing attendance under one's own account also signs the talk, unless it is a template, so that no request remains.
 */
export async function signTalkOfAttendee(c: Context, id: number, { method, strokes }: AttendeeDraft): Promise<void> {
  const talk = await talkOf(c, id)
  // Matches the index used by the query.
  const signed = { document: id, user: c.actor.userId, mine: true, again: false }
  if (talk?.clientId !== c.clientId || talk.isTemplate || (await c.exists(signature, signed))) return
  await c.create(signature, {
    document: id,
    method: method ?? 'typed',
    strokes: strokes ?? null,
    statement: 'I have heard and understood this toolbox talk.',
  })
}
