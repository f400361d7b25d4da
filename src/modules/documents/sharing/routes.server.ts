import { create as disposition } from 'content-disposition'
import { Problem, problem, violation } from '#kernel/errors.ts'
import { text } from '#kernel/fields.ts'
import { idAtEnd, readId } from '#kernel/iri.ts'
import { textOf } from '#kernel/text.ts'
import { londonDate, readDay } from '#kernel/time.ts'
import { readLetterhead, readLogo } from '#modules/portal/letterhead/letterhead.server.ts'
import { createLinkSecret, formatLinkToken } from '#server/auth/link-token.ts'
import { ConcurrencyLimiter } from '#server/concurrency-limiter.ts'
import type { Config } from '#server/config.ts'
import { behaviour } from '#server/engine/behaviour.ts'
import { feature } from '#server/engine/module.ts'
import { type Route, RouteAnswer } from '#server/engine/route.ts'
import { routeWith } from '#server/engine/route-input.ts'
import { gatherPack } from '../packs/gather.server.ts'
import { assertPackShareable } from '../packs/handed-over.server.ts'
import { pdfNameOf } from '../printing/file-name.ts'
import { DOCUMENT_AUTHORS } from '../rights.ts'
import { document } from '../types/document.ts'
import type { DocumentKind } from '../types/kind.ts'
import { packLink } from './pack-link.ts'
import { loadSharedPack, logLinkOpening, renderSharedPack, resolvePackLink } from './shared-pack.server.ts'

/** Maximum validity of a link in days. */
const MOST_DAYS = 366

/**
 * Input of a new link, which its resource doesn't accept as links can't be changed. Missing values are reported by the
 * resource, after the document has been found.
 */
const ASKED = { called: text({ max: 200, label: 'Recipient' }), until: text({ label: 'Expires on' }) }

/** Limits for packs rendered for bearers of links, who don't sign in. */
const ofLink = new ConcurrencyLimiter(1, 2)
const ofClient = new ConcurrencyLimiter(2, 4)

/** Links to packs: withdrawn by authors, opened by their bearers. */
const packLinkBehaviour = behaviour(packLink, {
  beforeSave: ({ before, changes, now }) => {
    const given = textOf(changes.until)
    // Missing values are reported by the declaration.
    if (before || !given.trim()) return undefined
    const [until, today] = [readDay(given), londonDate(now)]
    const refuse = (message: string) => problem.invalid([violation('until', message)])
    if (until === undefined) throw refuse('The last day must be a date such as 2026-02-28')
    if (until < today.toString()) throw refuse('This date is in the past. Please choose a later one.')
    if (until > today.add({ days: MOST_DAYS }).toString()) throw refuse('A link can be valid for a year at most.')
    return { until }
  },
  actions: {
    withdraw: (c) => {
      if (c.row.withdrawnAt) throw problem.conflict('This link has already been withdrawn.')
      return { set: { withdrawnAt: c.now.toString() } }
    },
    open: (c) => ({ set: { opened: c.row.opened + 1, openedAt: c.now.toString() } }),
  },
})

const pageOf = ({ publicUrl, host, port }: Config, path: string) => `${publicUrl ?? `http://${host}:${port}`}${path}`

/** Routes to share a pack by link, and for the bearer of the link. */
const packSharingRoutes = (kinds: readonly DocumentKind[]): Route[] => [
  routeWith(ASKED, {
    method: 'POST',
    path: `${document.url}/{id}/links`,
    title: 'Create a link to read the pack of a document without signing in; its address is returned once only',
    allow: DOCUMENT_AUTHORS,
    refuses: [409, 413, 422],
    handle: async (c) => {
      const id = readId(c.params.id)
      if (id === undefined) throw problem.notFound()
      const { kind: name, current, documentNumber, client } = await c.engine.one(document, c.me, id)
      // Staff can read other companies' packs but not share them.
      if (idAtEnd(client) !== c.me.clientId) throw problem.notFound()
      const kind = kinds.find((k) => k.kind === name)
      if (!kind?.shared) throw problem.conflict('Only packs can be shared by link.')
      if (!current) throw problem.conflict(`${documentNumber} is not in force. Only documents in force can be shared.`)
      // The user must have access to all of it; inaccessible parts are named in the error.
      assertPackShareable(c.me, await gatherPack(c.engine, kinds, c.me, { ids: [id], deep: true }), [id])
      const { secret, hash } = createLinkSecret()
      return c.engine.inTenant(c.me.clientId, c.change(), async (unit) => {
        const values = { called: c.input.called ?? '', until: c.input.until ?? undefined }
        const made = await unit
          .withoutPermissionCheck('share a pack')
          .create(packLink, { document: id, ...values, hash })
        const link = await made.saved()
        return async () => ({
          ...(await c.engine.one(packLink, c.me, link.id)),
          address: pageOf(c.engine.config, `/pack/${formatLinkToken(c.me.clientId, link.id, secret)}`),
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
      await logLinkOpening(c.engine, followed, c.request.id)
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
      // Requests refused by the limit don't count as openings.
      await logLinkOpening(c.engine, followed, c.request.id)
      return new RouteAnswer(200, pdf, {
        'content-type': 'application/pdf',
        'content-disposition': disposition(pdfNameOf(`Pack ${title}`), { type: 'inline' }),
      })
    },
  },
  {
    method: 'GET',
    path: '/api/safety/shared_packs/{token}/logo',
    title: 'Get the logo of the company that shares a pack',
    allow: 'anonymous',
    file: ['image/webp'],
    handle: async (c) => {
      const { clientId } = await resolvePackLink(c.engine, c.params.token)
      const logo = await readLogo(c.engine, await readLetterhead(c.engine, clientId))
      if (!logo) throw problem.notFound('No logo is set.')
      return new RouteAnswer(200, Buffer.from(logo.base64, 'base64'), { 'content-type': 'image/webp' })
    },
  },
]

export const sharing = (kinds: readonly DocumentKind[]) =>
  feature({ pack: 'safety', resources: [packLink], behaviours: [packLinkBehaviour], routes: packSharingRoutes(kinds) })
