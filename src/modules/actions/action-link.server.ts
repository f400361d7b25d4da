import { Problem, problem } from '#kernel/errors.ts'
import type { RowOf } from '#kernel/resource.ts'
import { createBearerActor, createSystemActor } from '#kernel/roles.ts'
import { londonDate } from '#kernel/time.ts'
import { client } from '#modules/portal/clients/client.ts'
import { receiveFile } from '#modules/portal/files/upload.server.ts'
import { linkLogoRoute, readLetterhead } from '#modules/portal/letterhead/letterhead.server.ts'
import { findPackState } from '#modules/portal/packs/routes.server.ts'
import { isNewOpening } from '#server/auth/attempts.ts'
import { ConcurrencyLimiter } from '#server/concurrency-limiter.ts'
import type { SecretLink } from '#server/engine/module.ts'
import { type Route, type RouteContext, RouteResponse } from '#server/engine/route.ts'
import { routeWithInput } from '#server/engine/route-input.ts'
import { createSecretLink, openSecretLink } from '#server/engine/secret-links.ts'
import type { Context, Engine } from '#server/engine/types.ts'
import {
  correctiveAction,
  correctiveActionFile,
  correctiveActionLink,
  isCorrectiveActionOverdue,
  isOpenActionState,
  type LinkedAction,
  proofInput,
  readVersionInput,
} from './corrective-action.ts'
import { ACTION_LINK_PATH } from './nav.ts'

type Action = RowOf<typeof correctiveAction>

/** Days for which a link works. Later reminders have links of their own. */
const LINK_DAYS = 90
const MAX_FILE_BYTES = 10 * 1024 * 1024

/** Link to a corrective action for an owner without an account. Closed actions have no link. */
export const correctiveActionSecretLink: SecretLink = {
  kind: 'corrective action',
  make: (engine, clientId, { action }) => {
    const reason = 'create a link for the owner of a corrective action'
    const change = { actor: createSystemActor(clientId, reason), requestId: 'letter' }
    return engine.inTenant(clientId, change, async (c) => {
      const row = await c.get(correctiveAction, Number(action))
      if (!row || refusalFor(row, '')) return () => undefined
      const { hash, url } = createSecretLink(engine.config)
      const made = await c.withoutPermissionCheck(reason).create(correctiveActionLink, {
        action: row.id,
        name: row.managerName,
        email: row.email,
        hash,
        createdAt: c.now.toString(),
      })
      const { id } = await made.saved()
      return () => url(ACTION_LINK_PATH, clientId, id)
    })
  },
}

/** Returns the reason why nothing can be reported for an action by link; empty while it is open. */
function refusalFor({ state, retired, owner, number }: Action, company: string): string {
  if (retired) return `${company} has withdrawn corrective action ${number}. You don’t need to do anything.`
  if (owner !== null) return `Corrective action ${number} has another owner now. You don’t need to do anything.`
  if (state === 'not needed') return `Corrective action ${number} is no longer needed. You don’t need to do anything.`
  return isOpenActionState(state) ? '' : `Corrective action ${number} has been reported as done. Thank you.`
}

const reassignedSentence = ({ number }: Action, company: string): string =>
  `Corrective action ${number} has another owner now. If you need a new link, please ask ${company}.`

/** True if a link was sent to the action's present owner. */
const isSentTo = (link: RowOf<typeof correctiveActionLink>, { email, managerName }: Action): boolean =>
  link.email === email && (link.name === '' || link.name === managerName)

/** A resolved link: its action and, if nothing can be reported, the reason. */
interface FollowedLink {
  readonly clientId: number
  readonly company: string
  readonly row: Action
  readonly sentence: string
}

/** Resolves a link. Throws 404, without details, if the link is unknown or its company has left. */
const resolveLink = (engine: Engine, token: string | undefined): Promise<FollowedLink> =>
  openSecretLink(engine, token, 'open the link of a corrective action', async (c, { clientId, id, hasHash }) => {
    const [link, ours] = [await c.get(correctiveActionLink, id), await c.get(client, clientId)]
    const row = link && (await c.get(correctiveAction, link.action))
    if (!row || !hasHash(link.hash) || !ours || ours.retired) return undefined
    const { company } = ours
    const expires = Temporal.Instant.from(link.createdAt).add({ hours: 24 * LINK_DAYS })
    const isExpired = Temporal.Instant.compare(engine.clock.now(), expires) > 0
    if (isExpired || (row.owner === null && !isSentTo(link, row))) {
      const sentence = isExpired
        ? `This link has expired. If you need a new link, please ask ${company}.`
        : reassignedSentence(row, company)
      return { clientId, company, row, sentence }
    }
    if ((await findPackState(c, clientId, 'safety')) !== 'active')
      return {
        clientId,
        company,
        row,
        sentence: `${company} can’t receive reports through this link at the moment. Please contact ${company} directly.`,
      }
    return { clientId, company, row, sentence: refusalFor(row, company) }
  })

const LINKED_ACTION_URL = '/api/safety/linked_actions/{token}'

async function readLinkedAction(engine: Engine, token: string | undefined): Promise<LinkedAction> {
  const { clientId, company, row, sentence } = await resolveLink(engine, token)
  const at = LINKED_ACTION_URL.replace('{token}', token ?? '')
  const about = {
    '@id': at,
    '@type': 'LinkedAction' as const,
    company,
    logo: (await readLetterhead(engine, clientId)).client.logo ? `${at}/logo` : null,
    sentence,
  }
  if (sentence) return about
  const files = await engine.readIn(clientId, 'read the files of a corrective action', (c) =>
    c.find(correctiveActionFile, { action: row.id }),
  )
  const { number, managerName, description, deadline, notes, adminNotes, version } = row
  const isLate = isCorrectiveActionOverdue(row, londonDate(engine.clock.now()).toString())
  const action = { number, managerName, description, deadline, notes, adminNotes, version, isLate }
  return { ...about, action: { ...action, files: files.map(({ name }) => name) } }
}

/** Resolves the link of a request and acts as its holder. Throws 410 with the reason if the link is closed. */
async function actAsHolder<T>(c: RouteContext, act: (unit: Context, row: Action) => Promise<() => T | Promise<T>>) {
  const { clientId, company, row, sentence } = await resolveLink(c.engine, c.params.token)
  if (sentence) throw new Problem(410, sentence)
  const holder = createBearerActor(clientId, { username: 'link', name: `Link holder: ${row.managerName}` }, [
    { type: correctiveAction.type, id: row.id, verbs: ['read', 'openLink', 'addProof', 'reportDone'] },
  ])
  const change = { actor: holder, requestId: c.request.id, resource: correctiveAction, id: row.id }
  return c.engine.inTenant(clientId, change, async (unit) => {
    // The action may have been closed or given to another owner since the link was resolved.
    const locked = await unit.lock(correctiveAction, row.id)
    const isSameOwner = locked.email === row.email && locked.managerName === row.managerName
    const closed = refusalFor(locked, company) || (isSameOwner ? '' : reassignedSentence(row, company))
    if (closed) throw new Problem(410, closed)
    return act(unit, locked)
  })
}

/** Limits on concurrent uploads, per link and per company, because senders don't sign in. */
const ofLink = new ConcurrencyLimiter(1, 3)
const ofClient = new ConcurrencyLimiter(4, 8)

export const actionLinkRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: LINKED_ACTION_URL,
    title: 'Get the corrective action behind a link',
    allow: 'anonymous',
    handle: async (c) => ({ ...(await readLinkedAction(c.engine, c.params.token)) }),
  },
  {
    method: 'POST',
    path: `${LINKED_ACTION_URL}/opened`,
    title: 'Log that the owner’s link has been opened',
    allow: 'anonymous',
    refuses: [410],
    handle: async (c) => {
      const { clientId, row } = await resolveLink(c.engine, c.params.token)
      const isNew = await c.engine.db.tx('system', (tx) =>
        isNewOpening(tx, `corrective action ${clientId}-${row.id}`, c.request.address),
      )
      if (!isNew) return {}
      return actAsHolder(c, async (unit) => {
        await unit.act(correctiveAction, 'openLink', row.id, {})
        return () => ({})
      })
    },
  },
  {
    method: 'POST',
    path: `${LINKED_ACTION_URL}/files`,
    title: 'Add a photo or document by link, as multipart/form-data with `file` (a picture, a PDF or a Word document)',
    allow: 'anonymous',
    upload: true,
    refuses: [409, 410, 413, 422],
    handle: async (c) => {
      const { clientId, row, sentence } = await resolveLink(c.engine, c.params.token)
      if (sentence) throw new Problem(410, sentence)
      const take = () =>
        receiveFile(c, { clientId, texts: [], limit: MAX_FILE_BYTES, only: 'rams' }, async (_form, keep) => {
          const file = await keep()
          return actAsHolder(c, async (unit) => {
            await unit.act(correctiveAction, 'addProof', row.id, { file })
            return async () => new RouteResponse(201, { ...(await readLinkedAction(c.engine, c.params.token)) })
          })
        })
      return ofLink.run(`${clientId} ${row.id}`, () => ofClient.run(String(clientId), take))
    },
  },
  routeWithInput(
    { proof: proofInput, version: readVersionInput },
    {
      method: 'POST',
      path: `${LINKED_ACTION_URL}/done`,
      title: 'Report a corrective action as done by link',
      allow: 'anonymous',
      refuses: [409, 410],
      handle: (c) =>
        actAsHolder(c, async (unit, row) => {
          const { proof, version } = c.input
          if (version !== row.version)
            throw problem.conflict('This action has changed since you opened it. Please read it again, then report it.')
          await unit.act(correctiveAction, 'reportDone', row.id, { proof })
          return async () => ({ ...(await readLinkedAction(c.engine, c.params.token)) })
        }),
    },
  ),
  linkLogoRoute(LINKED_ACTION_URL, 'that assigned the corrective action', resolveLink),
]
