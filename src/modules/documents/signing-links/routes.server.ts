import { FORBIDDEN_DURING_IMPERSONATION_MESSAGE } from '#kernel/can.ts'
import { Problem, problem } from '#kernel/errors.ts'
import { integer, json, text, typedJson } from '#kernel/fields.ts'
import { idFromAnyIri, parseId } from '#kernel/iri.ts'
import type { RowOf } from '#kernel/resource.ts'
import { createBearerActor, createSystemActor } from '#kernel/roles.ts'
import { MAX_SIGNATURE_POINTS } from '#kernel/signature.ts'
import { linkLogoRoute, readLetterhead } from '#modules/portal/letterhead/letterhead.server.ts'
import { behaviour } from '#server/engine/behaviour.ts'
import { feature } from '#server/engine/module.ts'
import type { Route, RouteContext } from '#server/engine/route.ts'
import { routeWithInput } from '#server/engine/route-input.ts'
import type { Context, Engine } from '#server/engine/types.ts'
import { assertPackShareable } from '../packs/finish-pack.server.ts'
import { loadPackContents } from '../packs/pack-contents.server.ts'
import {
  ANY_DOCUMENT_AUTHOR_ROLES,
  assertDocumentAuthorRole,
  assertDocumentPackActive,
  DOCUMENT_PACKS,
} from '../rights.ts'
import { countLinkAttempt } from '../sharing/link-attempts.server.ts'
import { linkReadingRoutes } from '../sharing/reading.server.ts'
import { MAX_SIGNATORY_LENGTHS } from '../signing/hand-words.ts'
import { document, type OpenedPart } from '../types/document.ts'
import type { DocumentKind } from '../types/kind.ts'
import { createPosterSecret, readLastDay, renderLinkPoster, signingLinkState } from './links.server.ts'
import { type FollowedSigningLink, resolveSigningLink, saveLinkSignature } from './signing.server.ts'
import { type SharedDocument, SIGNING_LINK_DAYS, type SigningLinkState, signingLink } from './signing-link.ts'

const AT = '/api/safety/shared_documents/{token}'
const LINK_OF = `${document.url}/{id}/signing_link`

type Document = RowOf<typeof document>

const placeOf = ({ kind, documentNumber }: Pick<Document, 'kind' | 'documentNumber'>) => ({
  page: '/sign',
  purpose: `link to sign ${kind} ${documentNumber}`,
})

async function resolveOpenLink(c: RouteContext): Promise<FollowedSigningLink & { readonly document: Document }> {
  const { document: current, ...followed } = await resolveSigningLink(c.engine, c.params.token)
  if (followed.sentence || !current) throw new Problem(410, followed.sentence)
  return { ...followed, document: current }
}

/**
 * Loads the document that a request is about, for one of the company's own people who may ask for signatures. Throws 403
 * during impersonation, and 404 for another company's document.
 */
async function findManaged(c: RouteContext): Promise<Document> {
  if (c.me.original) throw problem.forbidden(FORBIDDEN_DURING_IMPERSONATION_MESSAGE, 'in_person')
  const id = parseId(c.params.id)
  if (id === undefined) throw problem.notFound()
  const { client: owner } = await c.engine.one(document, c.me, id)
  if (idFromAnyIri(owner) !== c.me.clientId) throw problem.notFound()
  const found = await c.engine.readIn(c.me.clientId, 'read the document of a link', (r) => r.get(document, id))
  if (!found) throw problem.notFound()
  assertDocumentAuthorRole(c.me, found.pack)
  return found
}

/** Returns the state of a document's link. */
const stateOf = async (
  c: Pick<Context, 'find' | 'engine' | 'clientId'>,
  { id, kind, documentNumber }: Document,
): Promise<SigningLinkState> =>
  signingLinkState(
    c,
    { '@id': LINK_OF.replace('{id}', String(id)), '@type': 'SigningLink' },
    await c.find(signingLink, { kind, documentNumber }),
    placeOf({ kind, documentNumber }),
  )

const readState = (c: RouteContext, of: Document) =>
  c.engine.readIn(c.me.clientId, 'read the signing link of a document', (reader) =>
    stateOf({ find: reader.find.bind(reader), engine: c.engine, clientId: c.me.clientId }, of),
  )

/** Withdraws all links of a document. */
async function withdrawLinks(c: Context, { kind, documentNumber }: Document): Promise<void> {
  for (const link of await c.lockAll(signingLink, { kind, documentNumber }))
    if (!link.withdrawnAt) await c.set(signingLink, link, { withdrawnAt: c.now.toString() }, 'withdraw')
}

/** Routes for the people who may ask for signatures. */
const managerRoutes = (kinds: readonly DocumentKind[]): readonly Route[] => [
  {
    method: 'GET',
    path: LINK_OF,
    title: 'Get the link by which people sign a document without signing in',
    allow: ANY_DOCUMENT_AUTHOR_ROLES,
    handle: async (c) => ({ ...(await readState(c, await findManaged(c))) }),
  },
  routeWithInput(
    { until: text({ label: 'Expires on', help: `By default in ${SIGNING_LINK_DAYS.usual} days.` }) },
    {
      method: 'POST',
      path: LINK_OF,
      title: 'Create the link by which people sign a document, or get the one that works',
      allow: ANY_DOCUMENT_AUTHOR_ROLES,
      refuses: [409, 413, 422],
      handle: async (c) => {
        const { id } = await findManaged(c)
        const contents = await loadPackContents(c.engine, kinds, c.me, { ids: [id], deep: true })
        assertPackShareable(c.me, contents, [id])
        return c.engine.inTenant(c.me.clientId, c.change(), async (unit) => {
          const of = await unit.lock(document, id)
          if (!of.current || of.retired || of.isTemplate)
            throw problem.conflict(
              `${of.documentNumber} is not in force. Only documents in force can be signed by link.`,
            )
          const until = readLastDay(unit.now, c.input.until, SIGNING_LINK_DAYS)
          const known = await stateOf(unit, of)
          if (known.link) return () => ({ ...known })
          await withdrawLinks(unit, of)
          const { kind, documentNumber } = of
          await unit
            .withoutPermissionCheck('people who may ask for signatures manage the link of a document')
            .create(signingLink, {
              document: id,
              kind,
              documentNumber,
              ...createPosterSecret(unit, placeOf(of).purpose),
              until,
            })
          await unit.work.flush()
          const made = await stateOf(unit, of)
          return () => ({ ...made })
        })
      },
    },
  ),
  {
    method: 'DELETE',
    path: LINK_OF,
    title: 'Withdraw the link by which people sign a document',
    allow: ANY_DOCUMENT_AUTHOR_ROLES,
    handle: async (c) => {
      const { id, pack } = await findManaged(c)
      assertDocumentPackActive(c.me, pack)
      return c.engine.inTenant(c.me.clientId, c.change(), async (unit) => {
        const of = await unit.lock(document, id)
        await withdrawLinks(unit, of)
        await unit.work.flush()
        const now = await stateOf(unit, of)
        return () => ({ ...now })
      })
    },
  },
  {
    method: 'GET',
    path: `${LINK_OF}/poster`,
    title: 'Get a poster with the QR code by which people sign a document, as a PDF',
    allow: ANY_DOCUMENT_AUTHOR_ROLES,
    file: ['application/pdf'],
    refuses: [409],
    handle: async (c) => {
      const of = await findManaged(c)
      const { link } = await readState(c, of)
      if (!link) throw problem.conflict('This document has no valid signing link. Create one, then print the poster.')
      const kind = kinds.find((one) => one.kind === of.kind)
      return renderLinkPoster(c, {
        what: kind?.schema.title ?? 'Document',
        called: of.title ?? of.documentNumber,
        about: of.documentNumber,
        invite: 'Scan to read and sign',
        how: 'Read the document on your phone, then sign there. You don’t need an account.',
        address: link.address,
        until: link.until,
      })
    },
  },
]

/** Loads the document as the holder of its link sees it. */
async function loadSharedDocument(engine: Engine, token: string | undefined): Promise<SharedDocument> {
  const { clientId, company, sentence, link, document: current } = await resolveSigningLink(engine, token)
  const at = AT.replace('{token}', token ?? '')
  const logo = (await readLetterhead(engine, clientId)).client.logo ? `${at}/logo` : null
  const about = { '@id': at, '@type': 'SharedDocument' as const, company, logo, sentence }
  if (sentence || !current) return about
  const { id, kind, documentNumber: number, revision, title } = current
  return { ...about, document: { id, kind, number, revision, title: title || number, until: link.until } }
}

/** Runs an operation in the company's tenant as the holder of a link, who may only open it and sign. */
function runAsHolder<T>(
  c: RouteContext,
  { clientId, link }: FollowedSigningLink,
  act: Parameters<typeof c.engine.inTenant<T>>[2],
) {
  const name = `Holder of the link to sign ${link.documentNumber}`
  const holder = createBearerActor(clientId, { username: 'link', name }, [
    { type: signingLink.type, id: link.id, verbs: ['read', 'open'] },
  ])
  const change = { actor: holder, requestId: c.request.id, resource: signingLink, id: link.id }
  return c.engine.inTenant(clientId, change, act)
}

const SIGNATURE = {
  name: text({
    required: 'Please enter your full name',
    max: MAX_SIGNATORY_LENGTHS.name,
    stripInvisible: true,
    label: 'Name',
  }),
  company: text({
    required: 'Please enter your company',
    max: MAX_SIGNATORY_LENGTHS.company,
    stripInvisible: true,
    label: 'Company',
  }),
  trade: text({ default: '', max: MAX_SIGNATORY_LENGTHS.trade, stripInvisible: true, label: 'Trade' }),
  strokes: json({ max: MAX_SIGNATURE_POINTS }),
  document: integer({
    required: true,
    help: 'ID of the document that was read, as returned by `GET shared_documents/{token}`.',
  }),
  opened: typedJson<readonly OpenedPart[]>()({ default: [] }),
} as const

/** `POST shared_documents/{token}/sign`: signs the document on the device of the link’s holder. */
const signRoute = (kinds: readonly DocumentKind[]): Route =>
  routeWithInput(SIGNATURE, {
    method: 'POST',
    path: `${AT}/sign`,
    title: 'Sign the document behind a link. A request repeated with the same content has no further effect',
    allow: 'anonymous',
    refuses: [403, 409, 410, 422, 429],
    handle: async (c) => {
      const followed = await resolveSigningLink(c.engine, c.params.token)
      const { clientId, link } = followed
      const tried = await countLinkAttempt(
        c,
        clientId,
        `signing-link-names:${clientId}-${link.id}`,
        'You are signed in to the portal. Please sign the document under your own account.',
      )
      const said = (value: string | null | undefined) => value?.trim() ?? ''
      const { name, company, trade, strokes, document: id, opened } = c.input
      const given = {
        name: said(name),
        company: said(company),
        trade: said(trade),
        strokes,
        document: id ?? 0,
        opened: opened ?? [],
      }
      return runAsHolder(c, followed, async (unit) => {
        const receipt = await saveLinkSignature(unit, followed, given, { kinds, tried })
        return async () => ({ ...(await receipt()) })
      })
    },
  })

/** Routes for the holder of a link. */
const holderRoutes = (kinds: readonly DocumentKind[]): readonly Route[] => [
  {
    method: 'GET',
    path: AT,
    title: 'Get the document to sign behind a link',
    allow: 'anonymous',
    handle: async (c) => ({ ...(await loadSharedDocument(c.engine, c.params.token)) }),
  },
  {
    method: 'POST',
    path: `${AT}/opened`,
    title: 'Record that the document to sign behind a link has been opened',
    allow: 'anonymous',
    refuses: [410],
    handle: async (c) => {
      const followed = await resolveOpenLink(c)
      if (followed.link.opened > 0) return {}
      return runAsHolder(c, followed, async (unit) => {
        await unit.act(signingLink, 'open', followed.link.id, {})
        return () => ({})
      })
    },
  },
  ...linkReadingRoutes({
    at: AT,
    what: 'the document to sign',
    kinds,
    resolve: async (c) => {
      const followed = await resolveOpenLink(c)
      const reader = createSystemActor(followed.clientId, `follow the link to sign ${followed.link.documentNumber}`)
      return { ...followed, reader: { ...reader, name: followed.company } }
    },
  }),
  linkLogoRoute(AT, 'whose document is signed', resolveSigningLink),
  signRoute(kinds),
]

/** Signing a document in force by link or QR code, without an account. */
export const documentSigningLinks = (kinds: readonly DocumentKind[]) =>
  feature({
    pack: DOCUMENT_PACKS,
    resources: [signingLink],
    behaviours: [behaviour(signingLink, { actions: { open: (c) => ({ set: { opened: c.row.opened + 1 } }) } })],
    routes: [...managerRoutes(kinds), ...holderRoutes(kinds)],
  })
