import type { Route, RouteContext } from '#server/engine/route.ts'
import { pdfAnswer } from '../paper/pdf.server.ts'
import { acceptanceOf, acceptByLink, declineByLink, quoteBehind } from './acceptance.server.ts'

const requestOf = ({ engine, params, body, request }: RouteContext) => ({ engine, token: params.token, body, request })

/** What the bearer of a quote's link may ask for. */
export const acceptanceRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/api/financial/acceptances/{token}',
    title: 'The quote that a link leads to',
    allow: 'anonymous',
    handle: async (c) => ({ ...(await acceptanceOf(c.engine, c.params.token)) }),
  },
  {
    method: 'POST',
    path: '/api/financial/acceptances/{token}/accept',
    title: 'Accept and sign the quote',
    allow: 'anonymous',
    handle: async (c) => ({ ...(await acceptByLink(requestOf(c))) }),
  },
  {
    method: 'POST',
    path: '/api/financial/acceptances/{token}/decline',
    title: 'Decline the quote',
    allow: 'anonymous',
    handle: async (c) => ({ ...(await declineByLink(requestOf(c))) }),
  },
  {
    method: 'GET',
    path: '/api/financial/acceptances/{token}/pdf',
    title: 'The quote that a link leads to, as a PDF',
    allow: 'anonymous',
    handle: async (c) => pdfAnswer(c.engine, await quoteBehind(c.engine, c.params.token)),
  },
]
