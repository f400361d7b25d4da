import { FORBIDDEN_DURING_IMPERSONATION_MESSAGE } from '#kernel/can.ts'
import { Problem, problem, violation } from '#kernel/errors.ts'
import { flag, integer, json, text } from '#kernel/fields.ts'
import { parseId } from '#kernel/iri.ts'
import { createBearerActor, createSystemActor, hasRole } from '#kernel/roles.ts'
import { MAX_SIGNATURE_POINTS } from '#kernel/signature.ts'
import { formatIsoDateAsUk, londonDate } from '#kernel/time.ts'
import { DOCUMENT_AUTHOR_ROLES } from '#modules/documents/rights.ts'
import { countLinkAttempt } from '#modules/documents/sharing/link-attempts.server.ts'
import { linkReadingRoutes } from '#modules/documents/sharing/reading.server.ts'
import { MAX_SIGNATORY_LENGTHS } from '#modules/documents/signing/hand-words.ts'
import {
  createPosterSecret,
  renderLinkPoster,
  signingLinkState,
} from '#modules/documents/signing-links/links.server.ts'
import type { SigningLinkState } from '#modules/documents/signing-links/signing-link.ts'
import { signingPinPublicKey } from '#modules/identity/profile/sealed-pin.server.ts'
import { linkLogoRoute, readLetterhead } from '#modules/portal/letterhead/letterhead.server.ts'
import { behaviour } from '#server/engine/behaviour.ts'
import { lockAccessibleRecord } from '#server/engine/lock-accessible.ts'
import { feature } from '#server/engine/module.ts'
import type { Route, RouteContext } from '#server/engine/route.ts'
import { routeWithInput } from '#server/engine/route-input.ts'
import type { Context, Engine } from '#server/engine/types.ts'
import { isPinRequired } from '../talks/device-pin.server.ts'
import { assertTalkInForce } from '../talks/in-force.server.ts'
import { toolboxTalkInfo } from '../talks/talk-info.ts'
import { PRESENTER_ROLES, presentedTalk, talkAttendance, toolboxTalk } from '../talks/toolbox-talk.ts'
import { checkLinkPin, type FollowedTalkLink } from './link-pin.server.ts'
import { peopleToSign, resolveTalkLink, saveLinkSignature, signedByLinkNotice } from './signing.server.ts'
import { type SharedTalk, TALK_LINK_DAYS, talkLink } from './talk-link.ts'

const AT = '/api/safety/shared_talks/{token}'
const LINK_OF = `${presentedTalk.url}/{id}/link`

const placeOf = (presented: number) => ({ page: '/talk', purpose: `link to sign for presented talk ${presented}` })

/** Returns the state of a record's link. */
const stateOf = async (c: Pick<Context, 'find' | 'engine' | 'clientId'>, id: number): Promise<SigningLinkState> =>
  signingLinkState(
    c,
    { '@id': LINK_OF.replace('{id}', String(id)), '@type': 'TalkLink' },
    await c.find(talkLink, { presented: id }),
    placeOf(id),
  )

/**
 * Runs an operation on a record's links for a person who manages the record. Throws 404 or 403 for other people, and
 * 403 during impersonation.
 */
function manage<T extends object>(c: RouteContext, work: (unit: Context, id: number) => Promise<T>) {
  if (c.me.original) throw problem.forbidden(FORBIDDEN_DURING_IMPERSONATION_MESSAGE, 'in_person')
  const id = parseId(c.params.id)
  if (id === undefined) throw problem.notFound()
  const change = { actor: c.me, requestId: c.request.id, resource: presentedTalk, id }
  return c.engine.inTenant(c.me.clientId, change, async (unit) => {
    await lockAccessibleRecord(unit, talkAttendance, 'update', id)
    const answer = await work(unit, id)
    return () => answer
  })
}

/** Reads a record and its link for a person who manages the record, even if the company's entitlement has lapsed. */
async function readLink(c: RouteContext) {
  if (c.me.original) throw problem.forbidden(FORBIDDEN_DURING_IMPERSONATION_MESSAGE, 'in_person')
  const id = parseId(c.params.id)
  if (id === undefined) throw problem.notFound()
  const record = await c.engine.one(talkAttendance, c.me, id)
  if (!hasRole(c.me, DOCUMENT_AUTHOR_ROLES) && record.author !== c.me.username) throw problem.forbidden()
  const { clientId } = c.me
  const state = await c.engine.readIn(clientId, 'read the link of a talk', (reader) =>
    stateOf({ find: reader.find.bind(reader), engine: c.engine, clientId }, id),
  )
  return { record, state }
}

/**
 * Creates a link, or returns the one that already works. Throws 409 if the record is closed or deleted, or if the talk
 * is no longer in force.
 */
async function createTalkLink(c: Context, id: number): Promise<SigningLinkState> {
  const record = await c.lock(talkAttendance, id)
  if (record.retired || record.complete)
    throw problem.conflict('This record is closed or deleted. Only an open record can be signed by link.')
  await assertTalkInForce(c, record.talk)
  const known = await stateOf(c, id)
  if (known.link) return known
  await withdrawLinks(c, id)
  const until = londonDate(c.now).add({ days: TALK_LINK_DAYS }).toString()
  await c
    .withoutPermissionCheck('the author of the record manages its link')
    .create(talkLink, { presented: id, ...createPosterSecret(c, placeOf(id).purpose), until })
  await c.work.flush()
  return stateOf(c, id)
}

/** Withdraws all links of a record. */
async function withdrawLinks(c: Context, id: number): Promise<void> {
  for (const link of await c.lockAll(talkLink, { presented: id }))
    if (!link.withdrawnAt) await c.set(talkLink, link, { withdrawnAt: c.now.toString() }, 'withdraw')
}

/**
 * `GET toolbox_talk_presenteds/{id}/poster`: an A4 page with the QR code of the record's link. Throws 409 if the record
 * has no link that works.
 */
const posterRoute: Route = {
  method: 'GET',
  path: `${presentedTalk.url}/{id}/poster`,
  title: 'Get a poster with the QR code by which people sign for a presented talk, as a PDF',
  allow: PRESENTER_ROLES,
  file: ['application/pdf'],
  refuses: [409],
  handle: async (c) => {
    const { record, state } = await readLink(c)
    if (!state.link)
      throw problem.conflict('This record has no link that works. Please create one, then print the poster.')
    return renderLinkPoster(c, {
      what: toolboxTalkInfo.name,
      called: record.title ?? '',
      about: `Presented by ${record.presenter} on ${formatIsoDateAsUk(record.date)}`,
      invite: 'Scan to read and sign',
      how: 'Read the talk on your phone, then sign there. You don’t need an account.',
      address: state.link.address,
      until: state.link.until,
    })
  },
}

/** Routes for the person who manages the record. */
const presenterRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: LINK_OF,
    title: 'Get the link by which people sign for a presented talk without signing in',
    allow: PRESENTER_ROLES,
    handle: async (c) => ({ ...(await readLink(c)).state }),
  },
  {
    method: 'POST',
    path: LINK_OF,
    title: 'Create the link by which people sign for a presented talk, or get the one that works',
    allow: PRESENTER_ROLES,
    refuses: [409],
    handle: (c) => manage(c, async (unit, id) => ({ ...(await createTalkLink(unit, id)) })),
  },
  {
    method: 'DELETE',
    path: LINK_OF,
    title: 'Withdraw the link by which people sign for a presented talk',
    allow: PRESENTER_ROLES,
    handle: (c) =>
      manage(c, async (unit, id) => {
        await unit.lock(talkAttendance, id)
        await withdrawLinks(unit, id)
        await unit.work.flush()
        return { ...(await stateOf(unit, id)) }
      }),
  },
  posterRoute,
]

/** Runs an operation in the company's tenant as the holder of a link, who may only open it and sign. */
function runAsTalkLinkHolder<T>(
  engine: Engine,
  { clientId, link }: FollowedTalkLink,
  requestId: string,
  act: Parameters<typeof engine.inTenant<T>>[2],
) {
  const name = `Holder of the link to presented talk ${link.presented}`
  const holder = createBearerActor(clientId, { username: 'link', name }, [
    { type: talkLink.type, id: link.id, verbs: ['read', 'open'] },
  ])
  return engine.inTenant(clientId, { actor: holder, requestId, resource: talkLink, id: link.id }, act)
}

async function resolveOpenTalkLink(c: RouteContext): Promise<FollowedTalkLink> {
  const followed = await resolveTalkLink(c.engine, c.params.token)
  if (followed.sentence) throw new Problem(410, followed.sentence)
  return followed
}

/** Loads the talk as shown to the holder of its link. */
async function loadSharedTalk(engine: Engine, token: string | undefined): Promise<SharedTalk> {
  const followed = await resolveTalkLink(engine, token)
  const { clientId, company, sentence, link, record } = followed
  const at = AT.replace('{token}', token ?? '')
  const logo = (await readLetterhead(engine, clientId)).client.logo ? `${at}/logo` : null
  const about = { '@id': at, '@type': 'SharedTalk' as const, company, logo, sentence }
  if (sentence) return about
  const { talk: id, title, presenter, date } = record
  const people = await peopleToSign(engine, followed)
  const isRequired = await engine.readIn(clientId, 'read whether signing by link requires a PIN', (c) =>
    isPinRequired(c, clientId),
  )
  const pinKey = isRequired ? signingPinPublicKey(engine) : null
  return { ...about, talk: { id, title: title ?? '', presenter, date, until: link.until, people, pinKey } }
}

const { name: maxNameLength, company, trade } = MAX_SIGNATORY_LENGTHS
const SIGNATURE = {
  attendee: integer({ help: 'ID of the chosen person in `people`. If omitted, the name is added to the list.' }),
  name: text({ required: 'Please enter your full name', max: 255, stripInvisible: true, label: 'Name' }),
  company: text({ default: '', max: company, stripInvisible: true, label: 'Company' }),
  trade: text({ default: '', max: trade, stripInvisible: true, label: 'Trade' }),
  strokes: json({ max: MAX_SIGNATURE_POINTS }),
  pin: text({
    max: 2000,
    help: 'Signing PIN of a listed person with an account, sealed for `pinKey`, if the company requires one.',
  }),
  talk: integer({ required: true, help: 'ID of the talk that was read, as returned by `GET shared_talks/{token}`.' }),
  read: flag({ help: 'True once the talk has been read to its end.' }),
} as const

const FOR_OWN_PEOPLE = 'You are signed in to the portal. Please sign the talk under your own account.'

/** `POST shared_talks/{token}/sign`: signs for the talk on the device of the link’s holder. */
const signRoute = routeWithInput(SIGNATURE, {
  method: 'POST',
  path: `${AT}/sign`,
  title: 'Sign for the talk behind a link. A request repeated with the same content has no further effect',
  allow: 'anonymous',
  refuses: [403, 409, 410, 422, 429],
  handle: async (c) => {
    const followed = await resolveTalkLink(c.engine, c.params.token)
    const { clientId, link } = followed
    const tried = await countLinkAttempt(c, clientId, `talk-link-names:${clientId}-${link.id}`, FOR_OWN_PEOPLE)
    const { attendee, strokes, talk, read, pin: sealed } = c.input
    if (typeof attendee !== 'number' && c.input.name.length > maxNameLength)
      throw problem.invalid([violation('name', `Name can have at most ${maxNameLength} characters`)])
    if (!read) throw problem.conflict('Please read the talk to the end before you sign.')
    const said = (value: string | null | undefined) => value?.trim() ?? ''
    const given = {
      attendee: attendee ?? null,
      name: said(c.input.name),
      company: said(c.input.company),
      trade: said(c.input.trade),
      strokes,
      talk: talk ?? 0,
    }
    const pin = await checkLinkPin(c, followed, { ...given, pin: sealed ?? null }, (act) =>
      runAsTalkLinkHolder(c.engine, followed, c.request.id, act),
    )
    return runAsTalkLinkHolder(c.engine, followed, c.request.id, async (unit) => {
      const receipt = await saveLinkSignature(unit, followed, given, { tried, pin })
      return async () => ({ ...(await receipt()) })
    })
  },
})

/** Routes for the holder of a link. */
const holderRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: AT,
    title: 'Get the talk behind a link',
    allow: 'anonymous',
    handle: async (c) => ({ ...(await loadSharedTalk(c.engine, c.params.token)) }),
  },
  {
    method: 'POST',
    path: `${AT}/opened`,
    title: 'Record that the talk behind a link has been opened',
    allow: 'anonymous',
    refuses: [410],
    handle: async (c) => {
      const followed = await resolveOpenTalkLink(c)
      if (followed.link.opened > 0) return {}
      return runAsTalkLinkHolder(c.engine, followed, c.request.id, async (unit) => {
        await unit.act(talkLink, 'open', followed.link.id, {})
        return () => ({})
      })
    },
  },
  ...linkReadingRoutes({
    at: AT,
    what: 'the talk',
    kinds: [toolboxTalk],
    resolve: async (c) => {
      const { clientId, company: ours, talk } = await resolveOpenTalkLink(c)
      const reader = { ...createSystemActor(clientId, 'follow the link of a talk'), name: ours }
      return { clientId, document: talk, papers: [], reader }
    },
  }),
  linkLogoRoute(AT, 'whose talk is signed', resolveTalkLink),
  signRoute,
]

const talkLinkBehaviour = behaviour(talkLink, {
  actions: { open: (c) => ({ set: { opened: c.row.opened + 1 } }) },
})

export const talkLinksFeature = feature({
  pack: 'safety',
  resources: [talkLink],
  behaviours: [talkLinkBehaviour],
  routes: [...presenterRoutes, ...holderRoutes],
  notifications: [signedByLinkNotice],
})
