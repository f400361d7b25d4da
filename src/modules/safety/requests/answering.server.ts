import { z } from 'zod'
import { problem } from '#kernel/errors.ts'
import { defineEvent } from '#kernel/event.ts'
import { longText } from '#kernel/fields.ts'
import { readId } from '#kernel/iri.ts'
import { author, systemActor } from '#kernel/roles.ts'
import { packOfOwnDocument } from '#modules/documents/packs/own-pack.server.ts'
import { DOCUMENT_AUTHORS } from '#modules/documents/rights.ts'
import { logDocumentSending } from '#modules/documents/sending/send.server.ts'
import { documentSending } from '#modules/documents/types/document-sending.ts'
import { documentKindsOf } from '#modules/documents/types/kinds.server.ts'
import { client } from '#modules/portal/clients/client.ts'
import { saveGeneratedFile } from '#modules/portal/files/upload.server.ts'
import { eventHandler } from '#server/engine/handler.ts'
import { registryOf } from '#server/engine/registry.ts'
import { RouteAnswer } from '#server/engine/route.ts'
import { routeWith } from '#server/engine/route-input.ts'
import { ramsPack } from '../rams/rams-pack.ts'
import { ramsRequest } from './rams-request.ts'
import {
  loadRequestedRams,
  MAX_SENDING_LENGTHS,
  REQUESTED_RAMS_URL,
  requestUploadLimiter,
  resolveRequestLink,
  runAsLinkHolder,
} from './sending.server.ts'

/** A company has answered a RAMS request with its own pack. The event holds what is logged about it. */
const requestAnsweredEvent = defineEvent({
  kind: 'rams-request.answered',
  version: 1,
  payload: z.object({
    clientId: z.int(),
    document: z.int(),
    to: z.string(),
    message: z.string(),
    checksum: z.string(),
    sentAt: z.string(),
    by: z.object({ userId: z.int(), clientId: z.int(), username: z.string(), name: z.string() }),
  }),
})

/**
 * Answer of a subcontractor that is a client: a signed-in holder of the link chooses a pack in force of their own
 * company. Its bytes are transferred and nothing else of the company.
 */
export const packAnswerRoute = routeWith(
  { notes: longText({ default: '', max: MAX_SENDING_LENGTHS.notes, stripInvisible: true, label: 'Note' }) },
  {
    method: 'POST',
    path: `${REQUESTED_RAMS_URL}/packs/{id}`,
    title: 'Answer a RAMS request by link with a RAMS pack in force of one’s own company',
    allow: DOCUMENT_AUTHORS,
    refuses: [409, 413, 422],
    handle: async ({ engine, me, params, input: { notes }, request }) => {
      const { token } = params
      const followed = await resolveRequestLink(engine, token)
      const { clientId, company: to, row, sentence } = followed
      if (clientId === me.clientId)
        throw problem.conflict('Your own company requested this. Only other companies can send it.')
      if (sentence) throw problem.conflict(sentence)
      const id = readId(params.id)
      if (id === undefined) throw problem.notFound()
      const send = async () => {
        const ours = await engine.readIn(me.clientId, 'read the name of the sending company', (c) =>
          c.get(client, me.clientId),
        )
        const made = await packOfOwnDocument(engine, documentKindsOf(registryOf(engine).modules), me, {
          kind: ramsPack,
          id,
        })
        const { userId, clientId: from, username, name } = author(me)
        const company = ours?.company ?? ''
        return saveGeneratedFile(engine, clientId, made, (kept) =>
          runAsLinkHolder(engine, followed, request.id, async (unit) => {
            const file = { ...kept, sender: name, company, notes }
            await unit.act(ramsRequest, 'receive', row.id, { file })
            await unit.emit(requestAnsweredEvent, {
              clientId: me.clientId,
              document: id,
              to,
              message: notes,
              checksum: kept.checksum,
              sentAt: unit.now.toString(),
              by: { userId, clientId: from, username, name },
            })
            return async () => new RouteAnswer(201, { ...(await loadRequestedRams(engine, token)) })
          }),
        )
      }
      return requestUploadLimiter.run(`${clientId} ${row.id}`, send)
    },
  },
)

/** Logs the answer in the answering company's own chain: pack, recipient, bytes and sender. */
export const logPackAnswer = eventHandler(requestAnsweredEvent, {
  name: 'rams-request.note-answer',
  queue: 'events',
  send: async ({ engine, id }, { clientId, document, to, message, checksum, sentAt, by }) => {
    const actor = { ...systemActor(clientId, 'log that a request was answered with a pack'), original: by }
    await engine.inTenant(clientId, { actor, requestId: `event ${id}` }, async (c) => {
      if (!(await c.exists(documentSending, { document, checksum, sentAt })))
        await logDocumentSending(c, { document, addresses: [to], message, checksum, sentAt })
      return () => undefined
    })
  },
})
