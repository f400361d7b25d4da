import { problem } from '#kernel/errors.ts'
import { idAtEnd } from '#kernel/iri.ts'
import { type Actor, PROVIDER } from '#kernel/roles.ts'
import type { DocumentRecord } from '../types/kind.ts'
import type { PackContents, PackDocument } from './gather.server.ts'

/** Throws 409 for documents that must not leave the company: unfinished, withdrawn or deleted. */
export function assertShareable(
  me: Pick<Actor, 'clientId'>,
  { state, retired, client }: Pick<DocumentRecord, 'state' | 'retired' | 'client'>,
  called: string,
): void {
  const refuse = (why: string) => problem.conflict(`${called} ${why} It can’t be shared.`)
  if (idAtEnd(client) !== me.clientId) throw refuse('belongs to another company. Start your own copy of it.')
  if (state === 'rejected') throw refuse('was rejected.')
  if (retired) throw refuse(`has been ${state === 'current' ? 'withdrawn' : 'deleted'}.`)
  if (state === 'draft') throw refuse('is still a draft.')
}

/** The same for a pack. Returns its documents except the provider's, which accompany those that refer to them. */
export function assertPackShareable(
  me: Pick<Actor, 'clientId'>,
  { documents }: PackContents,
  asked: readonly number[],
): readonly PackDocument[] {
  const own = documents.filter(({ clientId, record }) => clientId !== PROVIDER || asked.includes(record.id))
  for (const { record } of own) assertShareable(me, record, `${record.documentNumber} revision ${record.revision}`)
  return own
}
