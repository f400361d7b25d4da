import { Problem, problem, violation } from '#kernel/errors.ts'
import { parseId } from '#kernel/iri.ts'
import type { RowOf } from '#kernel/resource.ts'
import { createBearerActor } from '#kernel/roles.ts'
import { removeInvisibleCharacters } from '#kernel/text.ts'
import { formatIsoDateAsUk, londonDate } from '#kernel/time.ts'
import { textTooLongMessage } from '#kernel/validate.ts'
import { DOCUMENT_AUTHOR_ROLES } from '#modules/documents/rights.ts'
import { client } from '#modules/portal/clients/client.ts'
import { createFileRoutes } from '#modules/portal/files/files.server.ts'
import { receiveFile } from '#modules/portal/files/upload.server.ts'
import { linkLogoRoute, readLetterhead } from '#modules/portal/letterhead/letterhead.server.ts'
import { findPackState } from '#modules/portal/packs/routes.server.ts'
import { isNewOpening } from '#server/auth/attempts.ts'
import { ConcurrencyLimiter } from '#server/concurrency-limiter.ts'
import { type Route, RouteResponse } from '#server/engine/route.ts'
import { openSecretLink } from '#server/engine/secret-links.ts'
import type { Engine } from '#server/engine/types.ts'
import {
  MAX_RAMS_FILE_BYTES,
  type RequestedRams,
  ramsReceived,
  ramsRequest,
  ramsRequestLink,
  SENDER_REQUIRED,
} from './rams-request.ts'

type Request = RowOf<typeof ramsRequest>

/** A resolved link: its request and, if RAMS can't be sent, the reason. */
interface Followed {
  readonly clientId: number
  readonly company: string
  readonly row: Request
  readonly sentence: string
}

/** Resolves a link. If the link is unknown, throws 404 without further details. */
export async function resolveRamsRequestLink(engine: Engine, token: string | undefined): Promise<Followed> {
  return openSecretLink(engine, token, 'open the link in a RAMS request', async (c, { clientId, id, hasHash }) => {
    const [link, ours] = [await c.get(ramsRequestLink, id), await c.get(client, clientId)]
    const row = link && (await c.get(ramsRequest, link.request))
    if (!link || !row || !hasHash(link.hash) || !ours || ours.retired) return undefined
    const { company } = ours
    // If the company's pack has lapsed, its data is read-only, even for link holders.
    const closed = (await findPackState(c, clientId, 'safety')) !== 'active'
    const sentence = closed
      ? `${company} can’t receive files here at the moment. Please ask the company how to send your RAMS.`
      : refusalFor(row, company, londonDate(engine.clock.now()).toString())
    return { clientId, company, row, sentence }
  })
}

/** Returns the reason why RAMS can't be sent with this link; empty while the request is open. */
function refusalFor({ state, opensUntil }: Request, company: string, today: string): string {
  if (state === 'withdrawn') return `${company} has withdrawn this request. You don’t need to send anything.`
  if (state === 'accepted') return `${company} has accepted your RAMS. You don’t need to do anything else.`
  if (opensUntil < today)
    return `This link expired on ${formatIsoDateAsUk(opensUntil)}. Please ask ${company} for a new link.`
  return ''
}

export function runAsRamsLinkHolder<T>(
  engine: Engine,
  { clientId, row }: Followed,
  requestId: string,
  act: Parameters<typeof engine.inTenant<T>>[2],
) {
  const holder = createBearerActor(clientId, { username: 'link', name: `Link holder for ${row.company}` }, [
    { type: ramsRequest.type, id: row.id, verbs: ['read', 'open', 'receive'] },
  ])
  return engine.inTenant(clientId, { actor: holder, requestId, resource: ramsRequest, id: row.id }, act)
}

/** Limit for concurrent uploads per link, needed because senders don't sign in. `ofClient` is the limit per company. */
export const ramsUploadLimiter = new ConcurrencyLimiter(1, 3)
const ofClient = new ConcurrencyLimiter(4, 8)

export const REQUESTED_RAMS_URL = '/api/safety/asked_rams/{token}'
export const MAX_RAMS_TEXT_LENGTHS = { sender: 200, notes: 1000 }

function tooLong(name: keyof typeof MAX_RAMS_TEXT_LENGTHS, label: string, said: string) {
  const wrong = textTooLongMessage(label, MAX_RAMS_TEXT_LENGTHS[name], said)
  return wrong === undefined ? undefined : violation(name, wrong, 'too_long')
}

export async function loadRequestedRams(engine: Engine, token: string | undefined): Promise<RequestedRams> {
  const { clientId, company, row, sentence } = await resolveRamsRequestLink(engine, token)
  const at = REQUESTED_RAMS_URL.replace('{token}', token ?? '')
  const about = {
    '@id': at,
    '@type': 'AskedRams' as const,
    company,
    logo: (await readLetterhead(engine, clientId)).client.logo ? `${at}/logo` : null,
    sentence,
  }
  if (sentence) return about
  const sent = await engine.readIn(clientId, 'read the files sent through a link', (c) =>
    c.find(ramsReceived, { request: row.id }),
  )
  const { person, job, site, due, notes, state, reason, opensUntil: until } = row
  const asked = { company: row.company, person, job, site, due, notes, state, reason, until }
  return {
    ...about,
    asked: {
      ...asked,
      sent: sent
        .toSorted((a, b) => b.version - a.version || a.part - b.part)
        .map(({ version, part, name, createdAt }) => ({ version, part, name, at: createdAt })),
    },
  }
}

/** Routes for link holders: read the request, send RAMS. */
export const ramsSendingRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: REQUESTED_RAMS_URL,
    title: 'Get the RAMS request behind a link',
    allow: 'anonymous',
    handle: async (c) => ({ ...(await loadRequestedRams(c.engine, c.params.token)) }),
  },
  {
    method: 'POST',
    path: `${REQUESTED_RAMS_URL}/opened`,
    title: 'Log that the link has been opened',
    allow: 'anonymous',
    handle: async (c) => {
      const followed = await resolveRamsRequestLink(c.engine, c.params.token)
      if (followed.sentence) throw new Problem(410, followed.sentence)
      const link = `request ${followed.clientId}-${followed.row.id}`
      if (!(await c.engine.db.tx('system', (tx) => isNewOpening(tx, link, c.request.address)))) return {}
      return runAsRamsLinkHolder(c.engine, followed, c.request.id, async (unit) => {
        await unit.act(ramsRequest, 'open', followed.row.id, {})
        return () => ({})
      })
    },
  },
  {
    method: 'POST',
    path: `${REQUESTED_RAMS_URL}/files`,
    title:
      'Send the requested RAMS by link: multipart/form-data with `file` (a PDF, Word document or picture), `sender`, the name of the person who sends it, and, optionally, `notes`, and `joins`, the version to which a further file belongs',
    allow: 'anonymous',
    upload: true,
    refuses: [409, 410, 413, 422],
    handle: async (c) => {
      const followed = await resolveRamsRequestLink(c.engine, c.params.token)
      const { clientId, row, sentence } = followed
      if (sentence) throw new Problem(410, sentence)
      const take = () =>
        receiveFile(
          c,
          { clientId, texts: ['sender', 'notes', 'joins'], limit: MAX_RAMS_FILE_BYTES, only: 'rams' },
          async ({ texts }, keep) => {
            const said = {
              sender: removeInvisibleCharacters(texts.sender ?? ''),
              notes: removeInvisibleCharacters(texts.notes ?? ''),
            }
            const wrong = [
              said.sender ? tooLong('sender', 'Name', said.sender) : violation('sender', SENDER_REQUIRED, 'required'),
              tooLong('notes', 'Note', said.notes),
            ].flatMap((v) => v ?? [])
            if (wrong.length) throw problem.invalid(wrong)
            const joins = parseId(texts.joins)
            const file = {
              ...(await keep()),
              ...said,
              ...(joins === undefined ? {} : { joins }),
            }
            return runAsRamsLinkHolder(c.engine, followed, c.request.id, async (unit) => {
              await unit.act(ramsRequest, 'receive', row.id, { file })
              return async () => new RouteResponse(201, { ...(await loadRequestedRams(c.engine, c.params.token)) })
            })
          },
        )
      return ramsUploadLimiter.run(`${clientId} ${row.id}`, () => ofClient.run(String(clientId), take))
    },
  },
  linkLogoRoute(REQUESTED_RAMS_URL, 'requesting RAMS', resolveRamsRequestLink),
  ...createFileRoutes(ramsReceived, DOCUMENT_AUTHOR_ROLES),
]
