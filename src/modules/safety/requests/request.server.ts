import { z } from 'zod'
import { problem, violation } from '#kernel/errors.ts'
import { defineEvent } from '#kernel/event.ts'
import { defineEvidence, defineSavedEvidence } from '#kernel/evidence.ts'
import { longText } from '#kernel/fields.ts'
import { parseId } from '#kernel/iri.ts'
import type { RowOf } from '#kernel/resource.ts'
import { authorOf, createSystemActor } from '#kernel/roles.ts'
import { londonDate } from '#kernel/time.ts'
import { buildCompanyDocumentPack } from '#modules/documents/packs/finish-pack.server.ts'
import { DOCUMENT_AUTHOR_ROLES } from '#modules/documents/rights.ts'
import { logDocumentSending } from '#modules/documents/sending/send.server.ts'
import { documentSending } from '#modules/documents/types/document.ts'
import { collectDocumentKinds } from '#modules/documents/types/kinds.server.ts'
import { client } from '#modules/portal/clients/client.ts'
import { saveGeneratedFile } from '#modules/portal/files/upload.server.ts'
import { notifyUsers } from '#modules/portal/notices/notify.server.ts'
import { behaviour } from '#server/engine/behaviour.ts'
import { eventHandler } from '#server/engine/handler.ts'
import { declareNotificationType, feature } from '#server/engine/module.ts'
import { registryOf } from '#server/engine/registry.ts'
import { RouteResponse } from '#server/engine/route.ts'
import { routeWithInput } from '#server/engine/route-input.ts'
import type { Context } from '#server/engine/types.ts'
import { sealEvent } from '#server/evidence/seal.ts'
import { ramsPack } from '../rams/rams-pack.ts'
import {
  ramsReminderSchedule,
  ramsRequestEmail,
  ramsRequestSecretLink,
  sendRamsRequestEmail,
} from './letters.server.ts'
import { ramsRequestsNav } from './paths.ts'
import { MAX_RAMS_FILES, type ReceivedRamsFile, ramsReceived, ramsRequest, ramsRequestLink } from './rams-request.ts'
import {
  loadRequestedRams,
  MAX_RAMS_TEXT_LENGTHS,
  REQUESTED_RAMS_URL,
  ramsSendingRoutes,
  ramsUploadLimiter,
  resolveRamsRequestLink,
  runAsRamsLinkHolder,
} from './sending.server.ts'

/** Event: a company responded to a RAMS request with its own pack. The payload contains what the audit chain logs. */
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
 * Route for a subcontractor that is also a client. A signed-in link holder responds with one of their own company's
 * packs in force. Only the pack's PDF is copied.
 */
const packAnswerRoute = routeWithInput(
  { notes: longText({ default: '', max: MAX_RAMS_TEXT_LENGTHS.notes, stripInvisible: true, label: 'Note' }) },
  {
    method: 'POST',
    path: `${REQUESTED_RAMS_URL}/packs/{id}`,
    title: 'Answer a RAMS request by link, with a RAMS pack in force from the user’s own company',
    allow: DOCUMENT_AUTHOR_ROLES,
    refuses: [409, 413, 422],
    handle: async ({ engine, me, params, input: { notes }, request }) => {
      const { token } = params
      const followed = await resolveRamsRequestLink(engine, token)
      const { clientId, company: to, row, sentence } = followed
      if (clientId === me.clientId)
        throw problem.conflict('Your own company made this request, so only other companies can answer it.')
      if (sentence) throw problem.conflict(sentence)
      const id = parseId(params.id)
      if (id === undefined) throw problem.notFound()
      const send = async () => {
        const ours = await engine.readIn(me.clientId, 'read the name of the sending company', (c) =>
          c.get(client, me.clientId),
        )
        const made = await buildCompanyDocumentPack(engine, collectDocumentKinds(registryOf(engine).modules), me, {
          kind: ramsPack,
          id,
        })
        const { userId, clientId: from, username, name } = authorOf(me)
        const company = ours?.company ?? ''
        return saveGeneratedFile(engine, clientId, made, (kept) =>
          runAsRamsLinkHolder(engine, followed, request.id, async (unit) => {
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
            return async () => new RouteResponse(201, { ...(await loadRequestedRams(engine, token)) })
          }),
        )
      }
      return ramsUploadLimiter.run(`${clientId} ${row.id}`, send)
    },
  },
)

/**
 * Event handler that logs the response in the audit chain of the company that responded: pack, recipient, file and
 * sender.
 */
const logPackAnswer = eventHandler(requestAnsweredEvent, {
  name: 'rams-request.note-answer',
  queue: 'events',
  send: async ({ engine, id }, { clientId, document, to, message, checksum, sentAt, by }) => {
    const actor = { ...createSystemActor(clientId, 'log that a request was answered with a pack'), original: by }
    await engine.inTenant(clientId, { actor, requestId: `event ${id}` }, async (c) => {
      if (!(await c.exists(documentSending, { document, checksum, sentAt })))
        await logDocumentSending(c, { document, addresses: [to], message, checksum, sentAt })
      return () => undefined
    })
  },
})

const COLUMNS = [
  'request_id',
  'version',
  'part',
  'sender',
  'company',
  'notes',
  'name',
  'type',
  'size',
  'checksum',
  'file_key',
  'width',
  'height',
  'view_key',
  'view_type',
  'view_size',
  'thumbnail_key',
  'created_at',
]

/** Evidence specification that seals received RAMS. They can't be changed afterwards. */
const receivedRamsEvidence = defineEvidence({
  of: ramsReceived,
  named: ({ version, name }) => `Version ${String(version)} of the RAMS received: "${String(name)}"`,
  claims: 'true',
  rows: [],
  file: { key: 'file_key', checksum: 'checksum' },
  events: { 'RAMS received': { columns: COLUMNS }, adopted: { columns: COLUMNS } },
  later: {
    company: '',
    part: 1,
    width: null,
    height: null,
    view_key: null,
    view_type: null,
    view_size: null,
    thumbnail_key: null,
  },
  columns: { request_id: 'request', company: 'sender’s company' },
})

type Request = RowOf<typeof ramsRequest>

/** Number of days for which a link remains valid after the due date. */
const LINK_GRACE_DAYS = 30
const MAX_DAYS_AHEAD = 366
const MAX_VERSIONS = 20

/** Notification: a subcontractor's RAMS are ready for review. */
const ramsReceivedNotice = declareNotificationType({
  kind: 'rams.received',
  label: 'RAMS received from subcontractors',
  for: ramsRequestsNav.allow,
  icon: 'upload',
  of: ramsRequest,
  words: ({ company, job }) => `RAMS received from ${company}: ${job}`,
  path: ({ id }) => `${ramsRequestsNav.path}?open=${id}`,
  waits: 'Documents',
  todo: 'to review',
  mail: true,
})

const lingering = (from: Temporal.PlainDate) => from.add({ days: LINK_GRACE_DAYS }).toString()

const ramsRequestBehaviour = behaviour(ramsRequest, {
  beforeSave: ({ before, values, now, actor }) => {
    if (before) return undefined
    if (typeof values.due !== 'string') return undefined
    const [due, today] = [Temporal.PlainDate.from(values.due), londonDate(now)]
    const refuse = (message: string) => problem.invalid([violation('due', message)])
    if (Temporal.PlainDate.compare(due, today) < 0)
      throw refuse('This date is in the past. Please choose today or a later date')
    if (today.until(due).days > MAX_DAYS_AHEAD) throw refuse('Please choose a date within a year')
    return { opensUntil: lingering(due), userId: authorOf(actor).userId, createdAt: now.toString() }
  },
  afterSave: async (c) => {
    if (!c.before) await sendRamsRequestEmail(c, await c.written.saved(), 'asked')
  },
  actions: {
    accept: async (c) => {
      await assertLatestVersion(c)
      return { set: decidedBy(c) }
    },
    sendBack: async (c) => {
      await assertLatestVersion(c)
      const until = lingering(londonDate(c.now))
      const set = {
        reason: c.input.reason,
        opensUntil: [until, c.row.opensUntil].toSorted().at(-1) ?? until,
      }
      await sendRamsRequestEmail(c, { ...c.row, ...set }, 'returned')
      return { set: { ...decidedBy(c), ...set } }
    },
    withdraw: (c) => ({ set: decidedBy(c) }),
    open: ({ row, now }) => ({
      set: {
        opened: row.opened + 1,
        openedAt: now.toString(),
        ...(row.state === 'requested' ? { state: 'opened' as const } : {}),
      },
    }),
    receive: async (c) => {
      const { row, input, now } = c
      const { joins, ...file } = input.file as ReceivedRamsFile
      const place = await nextPlace(c, row, { joins, checksum: file.checksum })
      const unguarded = c.withoutPermissionCheck('save RAMS sent by a subcontractor')
      await unguarded.create(ramsReceived, { ...file, ...place, request: row.id, createdAt: now.toString() })
      if (row.userId !== null)
        await notifyUsers(c, ramsReceivedNotice, [{ to: row.userId, about: row.id, since: now.toString() }])
      return { set: { received: place.version, receivedAt: now.toString() } }
    },
  },
})

/** Throws 409 if a file has been received that the person had not read. */
async function assertLatestVersion(
  c: Context & { readonly row: Request; readonly input: { readonly version: number; readonly files: number } },
): Promise<void> {
  const { row, input } = c
  const latest = await c.find(ramsReceived, { request: row.id, version: row.received })
  if (input.version !== row.received || input.files !== latest.length)
    throw problem.conflict('Another file has been received. Please read it before you decide. Nothing was changed.')
}

const decidedBy = (c: Context) => ({ decidedBy: authorOf(c.actor).username, decidedAt: c.now.toString() })

/** Minutes after the last file within which a further file may join its version. */
const JOINING_MINUTES = 30

/**
 * Returns the version and part that a file becomes. Throws 409 if the same file has just been received, or if the maximum
 * number of files or versions is reached.
 */
async function nextPlace(
  c: Context,
  row: Request,
  { joins, checksum }: Pick<ReceivedRamsFile, 'joins' | 'checksum'>,
): Promise<{ readonly version: number; readonly part: number }> {
  const last = await c.find(ramsReceived, { request: row.id, version: row.received })
  const isOpen =
    row.state === 'received' &&
    row.receivedAt !== null &&
    c.now.since(Temporal.Instant.from(row.receivedAt)).total('minutes') < JOINING_MINUTES
  const joined = joins !== undefined && joins === row.received && isOpen
  const isRepeated = joined || last.length === 1
  if (isRepeated && last.some((one) => one.checksum === checksum))
    throw problem.conflict('This file has already been received. Please choose another file.')
  if (joined && last.length >= MAX_RAMS_FILES)
    throw problem.conflict(`At most ${MAX_RAMS_FILES} files can be sent at a time. Please send the others separately.`)
  if (joined) return { version: row.received, part: last.length + 1 }
  if (row.received >= MAX_VERSIONS)
    throw problem.conflict(`${MAX_VERSIONS} versions have been sent already. Please ask for a new link.`)
  return { version: row.received + 1, part: 1 }
}

const ramsReceivedBehaviour = behaviour(ramsReceived, {
  afterSave: async (c) => {
    const { id } = await c.written.saved()
    await sealEvent(c, receivedRamsEvidence, { event: 'RAMS received', id })
  },
})

export const ramsRequestsFeature = feature({
  pack: 'safety',
  resources: [ramsRequest, ramsRequestLink, ramsReceived],
  behaviours: [ramsRequestBehaviour, ramsReceivedBehaviour],
  routes: [...ramsSendingRoutes, packAnswerRoute],
  handlers: [logPackAnswer],
  schedules: [ramsReminderSchedule],
  notifications: [ramsReceivedNotice],
  evidence: [
    receivedRamsEvidence,
    defineSavedEvidence({ of: ramsRequest, named: ({ company }) => `the RAMS request to ${String(company)}` }),
  ],
  emails: [ramsRequestEmail],
  links: [ramsRequestSecretLink],
  seeds: () => import('./demo.server.ts'),
})
