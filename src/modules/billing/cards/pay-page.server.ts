import { randomBytes } from 'node:crypto'
import { Problem, problem } from '#kernel/errors.ts'
import { choice } from '#kernel/fields.ts'
import { type Route, RouteAnswer, type RouteContext } from '#server/engine/route.ts'
import type { CardPurpose } from './gateway.server.ts'
import { cardEnteredPage, cardEntryPage, challengePage, expiredPage, type PayPageOptions } from './pay-page-html.ts'
import { paymentGateway } from './payments.server.ts'
import { answerChallenge, findTestSession, tokenizeTestCard } from './test-gateway.server.ts'

const PATH = '/pay/test/{session}'
const PAGE = 'text/html; charset=utf-8'

/**
 * The test gateway's page for entering a card. It belongs to the payment service, not to the portal: it runs in a
 * sandboxed frame without the portal's cookies or storage, and its input goes only to the gateway.
 */
export const payPages: readonly Route[] = [
  {
    method: 'GET',
    path: PATH,
    query: { scheme: choice(['light', 'dark'], { help: 'Colour scheme of the surrounding page.' }) },
    title: 'Show the test gateway’s card page',
    allow: 'anonymous',
    file: [PAGE],
    handle: async (c) => {
      const open = await opened(c)
      if (!open && !asksForPage(c)) throw tooOld()
      return page(open ? 200 : 410, c, (f) => (open ? cardEntryPage(f) : expiredPage(f)), open)
    },
  },
  {
    method: 'POST',
    path: PATH,
    query: { scheme: choice(['light', 'dark'], { help: 'Colour scheme of the surrounding page.' }) },
    title: 'Enter a card with the test gateway',
    allow: 'anonymous',
    file: [PAGE],
    upload: true,
    handle: async (c) => {
      const open = await opened(c)
      if (!open) {
        if (asksForPage(c)) return page(410, c, expiredPage)
        throw tooOld()
      }
      const form = await fields(c)
      const session = sessionOf(c)
      const { db } = c.engine
      try {
        const { token: kept } = form
        if (kept) {
          await answerChallenge(db, session, kept, form.answer === 'pass')
          return page(200, c, (f) => cardEnteredPage(f, kept), open)
        }
        const { token, challenge } = await tokenizeTestCard(db, session, {
          number: form.number ?? '',
          expiry: form.expiry ?? '',
          cvc: form.cvc ?? '',
        })
        return page(200, c, (f) => (challenge ? challengePage(f, token) : cardEnteredPage(f, token)), open)
      } catch (e) {
        if (!(e instanceof Problem && asksForPage(c))) throw e
        return page(422, c, (f) => cardEntryPage(f, e.message), open)
      }
    },
  },
]

async function opened(c: RouteContext) {
  if ((await paymentGateway(c.engine)).name !== 'test') throw problem.notFound()
  return findTestSession(c.engine.db, sessionOf(c))
}

/** Browsers get pages; programs get the usual error body. */
const asksForPage = ({ request }: RouteContext): boolean => /text\/html/i.test(String(request.headers.accept ?? ''))

const tooOld = () => new Problem(410, 'This card page has expired. Please start again.')

const sessionOf = (c: RouteContext): string => c.params.session ?? ''

/** Short form fields only; longer values and files are ignored. */
async function fields(c: RouteContext): Promise<Record<string, string>> {
  const found: Record<string, string> = {}
  if (!c.request.parts) throw problem.mediaType('multipart/form-data')
  for await (const part of c.request.parts())
    if (part.type === 'file') part.file.resume()
    else if (typeof part.value === 'string' && part.value.length <= 100) found[part.fieldname] = part.value
  return found
}

function page(
  status: number,
  c: RouteContext,
  draw: (f: PayPageOptions) => string,
  session?: { readonly purpose: CardPurpose },
): RouteAnswer {
  const nonce = randomBytes(16).toString('base64')
  const scheme = c.query.scheme === 'dark' || c.query.scheme === 'light' ? c.query.scheme : 'light dark'
  return new RouteAnswer(status, draw({ nonce, scheme, pays: session?.purpose === 'pay' }), {
    'content-type': PAGE,
    'cache-control': 'no-store',
    'content-security-policy': `default-src 'none'; script-src 'nonce-${nonce}'; style-src 'nonce-${nonce}'; form-action 'self'; frame-ancestors 'self'; base-uri 'none'`,
  })
}
