import { problem } from '#kernel/errors.ts'
import { readLetterhead, readLogo } from '#modules/portal/letterhead/letterhead.server.ts'
import { ConcurrencyLimiter } from '#server/concurrency-limiter.ts'
import { feature } from '#server/engine/module.ts'
import { type Route, type RouteContext, RouteResponse } from '#server/engine/route.ts'
import { resolveQuoteLink } from '../letters/letter.server.ts'
import { quotePdfResponse } from '../print/pdf.server.ts'
import { INVOICING_PACK } from '../rights.ts'
import {
  acceptQuoteByLink,
  declineQuoteByLink,
  loadAcceptance,
  loadQuoteByToken,
  openQuoteByLink,
} from './acceptance.server.ts'

const requestOf = ({ engine, params, body, request }: RouteContext) => ({ engine, token: params.token, body, request })

/** Limits on concurrent PDF rendering for bearers of links, who don't sign in. */
const ofQuote = new ConcurrencyLimiter(1)
const ofClient = new ConcurrencyLimiter(2)

/** Routes for the bearer of a quote's link. */
const acceptanceRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/api/financial/acceptances/{token}',
    title: 'Get the quote behind a link',
    allow: 'anonymous',
    handle: async (c) => ({ ...(await loadAcceptance(c.engine, c.params.token)) }),
  },
  {
    method: 'POST',
    path: '/api/financial/acceptances/{token}/opened',
    title: 'Record that the quote has been opened',
    allow: 'anonymous',
    handle: async (c) => ({ ...(await openQuoteByLink(requestOf(c))) }),
  },
  {
    method: 'POST',
    path: '/api/financial/acceptances/{token}/accept',
    title: 'Accept and sign the quote',
    allow: 'anonymous',
    handle: async (c) => ({ ...(await acceptQuoteByLink(requestOf(c))) }),
  },
  {
    method: 'POST',
    path: '/api/financial/acceptances/{token}/decline',
    title: 'Decline the quote',
    allow: 'anonymous',
    handle: async (c) => ({ ...(await declineQuoteByLink(requestOf(c))) }),
  },
  {
    method: 'GET',
    path: '/api/financial/acceptances/{token}/logo',
    title: 'Get the seller’s logo for the quote behind a link',
    allow: 'anonymous',
    file: ['image/webp'],
    handle: async (c) => {
      const { clientId } = await resolveQuoteLink(c.engine, c.params.token)
      const logo = await readLogo(c.engine, await readLetterhead(c.engine, clientId))
      if (!logo) throw problem.notFound('No logo is set.')
      return new RouteResponse(200, Buffer.from(logo.base64, 'base64'), { 'content-type': 'image/webp' })
    },
  },
  {
    method: 'GET',
    path: '/api/financial/acceptances/{token}/pdf',
    title: 'Get the quote behind a link as a PDF',
    allow: 'anonymous',
    file: ['application/pdf'],
    handle: async (c) => {
      const { clientId, quote } = await loadQuoteByToken(c.engine, c.params.token)
      return quotePdfResponse(c.engine, clientId, quote, (make) =>
        ofQuote.run(quote['@id'], () => ofClient.run(String(clientId), make)),
      )
    },
  },
]

export const acceptance = feature({
  pack: INVOICING_PACK,
  routes: acceptanceRoutes,
})
