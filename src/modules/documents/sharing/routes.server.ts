import { create as disposition } from 'content-disposition'
import { Problem, problem, violation } from '#kernel/errors.ts'
import { text } from '#kernel/fields.ts'
import { toText } from '#kernel/text.ts'
import { londonDate, parseLeadingDate } from '#kernel/time.ts'
import { linkLogoRoute, readLetterhead } from '#modules/portal/letterhead/letterhead.server.ts'
import { ConcurrencyLimiter } from '#server/concurrency-limiter.ts'
import { behaviour } from '#server/engine/behaviour.ts'
import { feature } from '#server/engine/module.ts'
import { type Route, RouteResponse } from '#server/engine/route.ts'
import { routeWithInput } from '#server/engine/route-input.ts'
import { createSecretLink } from '#server/engine/secret-links.ts'
import type { Engine } from '#server/engine/types.ts'
import { loadOrRenderPackPdf } from '../packs/finish-pack.server.ts'
import { loadPackContents, packOwnerId, packTitle } from '../packs/pack-contents.server.ts'
import { pdfFileName } from '../printing/file-name.ts'
import { DOCUMENT_AUTHOR_ROLES } from '../rights.ts'
import { sharedPackEmail } from '../sending/letter-words.ts'
import { document } from '../types/document.ts'
import type { DocumentKind } from '../types/kind.ts'
import { documentRecordTitle } from '../types/kind.ts'
import { referencesIn } from '../types/reference.ts'
import { answerAction, findNewerLink, loadOwnAnswers, packAnsweredNotice, packHolderRoutes } from './answers.server.ts'
import {
  emailAgain,
  emailPackRoute,
  type Followed,
  loadShareablePack,
  logLinkOpening,
  packSecretLink,
  readerFor,
  resolvePackLink,
} from './email-links.server.ts'
import type { SharedPack } from './pack-link.ts'
import { packAnswer, packLink } from './pack-link.ts'

/** Loads the pack as the holder of its link sees it. */
async function loadSharedPack(
  engine: Engine,
  kinds: readonly DocumentKind[],
  token: string | undefined,
): Promise<SharedPack> {
  const followed = await resolvePackLink(engine, token)
  const { clientId, company, sentence, document: shared, link } = followed
  const at = `/api/safety/shared_packs/${token}`
  const about = {
    '@id': at,
    '@type': 'SharedPack' as const,
    company,
    logo: (await readLetterhead(engine, clientId)).client.logo ? `${at}/logo` : null,
    sentence,
  }
  const kind = kinds.find((k) => k.kind === shared.kind)
  const newer = sentence ? await findNewerLink(engine, followed) : undefined
  if (newer) {
    const { documentNumber: number, revision } = newer.current
    return { ...about, newer: { number, revision } }
  }
  if (sentence || !kind) return about
  const record = await engine.one(kind.resource, readerFor(followed), shared.id)
  const papers = referencesIn(kind.references, record).flatMap(({ rows }) =>
    rows.map(({ target, file, notes }) => ({
      number: target ? `${target.documentNumber}, revision ${target.revision}` : 'File',
      title: target?.title ?? file?.name ?? '',
      notes,
      replaced: followed.papers.some(({ id, state }) => id === target?.id && state === 'replaced'),
    })),
  )
  const { documentNumber: number, revision, approvedAt, signatures } = record
  const title = documentRecordTitle(kind, record)
  const recipient = { name: link.person, company: link.company }
  const answers = await engine.readIn(clientId, 'read the answers given by a link', (c) => loadOwnAnswers(c, link.id))
  const read = { number, revision, title, approvedAt, until: link.until, signatures, papers }
  return { ...about, pack: { ...read, kind: kind.kind, id: record.id, recipient, answers } }
}

/**
 * Renders the pack's file: the shared document's own page, then its parts with their references. Throws 410 if the pack
 * can no longer be read.
 */
async function renderSharedPack(engine: Engine, kinds: readonly DocumentKind[], followed: Followed) {
  const reader = readerFor(followed)
  const contents = await loadPackContents(engine, kinds, reader, { ids: [followed.document.id], deep: true })
  const [first] = contents.documents
  if (!first) throw problem.notFound()
  const title = packTitle(first, contents.documents.length - 1)
  return {
    title,
    pdf: await loadOrRenderPackPdf(engine, reader, contents, { title, clientId: packOwnerId(contents.documents) }),
  }
}

/** Maximum validity of a link in days. */
const MAX_LINK_DAYS = 366

/**
 * Input for a new link, declared here because the resource's fields can't be edited. Missing values are reported by the
 * resource, after the document has been found.
 */
const LINK_FIELDS = { called: text({ max: 200, label: 'Recipient' }), until: text({ label: 'Expires on' }) }

/** Concurrency limits, per link and per client, for rendering packs for holders of links, who don't sign in. */
const ofLink = new ConcurrencyLimiter(1, 2)
const ofClient = new ConcurrencyLimiter(2, 4)

/**
 * Rules for pack links. A new link's expiry date is checked, a link can be withdrawn once, and each opening is counted.
 */
const packLinkBehaviour = (kinds: readonly DocumentKind[], notice: ReturnType<typeof packAnsweredNotice>) =>
  behaviour(packLink, {
    beforeSave: ({ before, changes, now }) => {
      const given = toText(changes.until)
      // Missing values are reported by the field declaration.
      if (before || !given.trim()) return undefined
      const [until, today] = [parseLeadingDate(given), londonDate(now)]
      const refuse = (message: string) => problem.invalid([violation('until', message)])
      if (until === undefined) throw refuse('The expiry date must be a date such as 2026-02-28')
      if (until < today.toString()) throw refuse('This date is in the past. Please choose a later one.')
      if (until > today.add({ days: MAX_LINK_DAYS }).toString()) throw refuse('A link can be valid for at most a year.')
      return { until }
    },
    actions: {
      withdraw: (c) => {
        if (c.row.withdrawnAt) throw problem.conflict('This link has already been withdrawn.')
        return { set: { withdrawnAt: c.now.toString() } }
      },
      emailAgain: emailAgain(kinds),
      answer: answerAction(notice),
      open: (c) => ({ set: { opened: c.row.opened + 1, openedAt: c.now.toString() } }),
    },
  })

/** Creates the routes to share a pack by link, and those for the holder of a link. */
const packSharingRoutes = (kinds: readonly DocumentKind[]): Route[] => [
  emailPackRoute(kinds),
  ...packHolderRoutes(kinds, (engine, token) => loadSharedPack(engine, kinds, token)),
  routeWithInput(LINK_FIELDS, {
    method: 'POST',
    path: `${document.url}/{id}/links`,
    title: 'Create a link to read a pack without signing in; the URL is returned only once',
    allow: DOCUMENT_AUTHOR_ROLES,
    refuses: [409, 413, 422],
    handle: async (c) => {
      const id = await loadShareablePack(c, kinds)
      const { hash, url } = createSecretLink(c.engine.config)
      return c.engine.inTenant(c.me.clientId, c.change(), async (unit) => {
        const values = { called: c.input.called ?? '', until: c.input.until ?? undefined }
        const made = await unit
          .withoutPermissionCheck('share a pack')
          .create(packLink, { document: id, ...values, hash })
        const link = await made.saved()
        return async () => ({
          ...(await c.engine.one(packLink, c.me, link.id)),
          address: url('/pack', c.me.clientId, link.id),
        })
      })
    },
  }),
  {
    method: 'GET',
    path: '/api/safety/shared_packs/{token}',
    title: 'Get the pack behind a link',
    allow: 'anonymous',
    handle: async (c) => ({ ...(await loadSharedPack(c.engine, kinds, c.params.token)) }),
  },
  {
    method: 'POST',
    path: '/api/safety/shared_packs/{token}/opened',
    title: 'Record that the pack has been opened',
    allow: 'anonymous',
    refuses: [410],
    handle: async (c) => {
      const followed = await resolvePackLink(c.engine, c.params.token)
      if (followed.sentence) throw new Problem(410, followed.sentence)
      await logLinkOpening(c, followed)
      return {}
    },
  },
  {
    method: 'GET',
    path: '/api/safety/shared_packs/{token}/pdf',
    title: 'Get the pack behind a link as a PDF',
    allow: 'anonymous',
    file: ['application/pdf'],
    refuses: [409, 410, 413],
    handle: async (c) => {
      const followed = await resolvePackLink(c.engine, c.params.token)
      if (followed.sentence) throw new Problem(410, followed.sentence)
      const make = () => renderSharedPack(c.engine, kinds, followed)
      const { title, pdf } = await ofLink.run(`${followed.clientId} ${followed.link.id}`, () =>
        ofClient.run(String(followed.clientId), make),
      )
      // Requests rejected by the limit are not logged as openings.
      await logLinkOpening(c, followed)
      return new RouteResponse(200, pdf, {
        'content-type': 'application/pdf',
        'content-disposition': disposition(pdfFileName(`Pack ${title}`), { type: 'inline' }),
      })
    },
  },
  linkLogoRoute('/api/safety/shared_packs/{token}', 'that shares a pack', resolvePackLink),
]

export function documentSharing(kinds: readonly DocumentKind[]) {
  const notice = packAnsweredNotice(kinds)
  return feature({
    pack: 'safety',
    resources: [packLink, packAnswer],
    behaviours: [packLinkBehaviour(kinds, notice)],
    routes: packSharingRoutes(kinds),
    emails: [sharedPackEmail],
    links: [packSecretLink],
    notifications: [notice],
  })
}
