import type { Route, RouteContext } from '#server/behaviour.ts'
import { pdfAnswer } from '../paper/pdf.server.ts'
import { accept, acceptanceOf, decline, quoteBehind } from './acceptance.server.ts'

const token = (c: RouteContext) => c.params.token as string

/** What the bearer of a quote's link may ask for. */
export const acceptanceRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/api/financial/acceptances/{token}',
    title: 'The quote that a link leads to',
    allow: 'anonymous',
    handle: async (c) => ({ ...(await acceptanceOf(c.engine, token(c))) }),
  },
  {
    method: 'POST',
    path: '/api/financial/acceptances/{token}/accept',
    title: 'Accept and sign the quote',
    allow: 'anonymous',
    handle: async (c) => ({ ...(await accept(c.engine, token(c), c.body, c.request)) }),
  },
  {
    method: 'POST',
    path: '/api/financial/acceptances/{token}/decline',
    title: 'Decline the quote',
    allow: 'anonymous',
    handle: async (c) => ({ ...(await decline(c.engine, token(c), c.body, c.request)) }),
  },
  {
    method: 'GET',
    path: '/api/financial/acceptances/{token}/pdf',
    title: 'The quote that a link leads to, as a PDF',
    allow: 'anonymous',
    handle: async (c) => {
      const q = await quoteBehind(c.engine, token(c))
      return pdfAnswer(c.engine, q)
    },
  },
]
