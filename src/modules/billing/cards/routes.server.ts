import { randomBytes } from 'node:crypto'
import { Problem, problem } from '#kernel/errors.ts'
import { choice, link, text } from '#kernel/fields.ts'
import type { RecordOf } from '#kernel/resource.ts'
import { clockOffsetFields } from '#modules/portal/clock/clock.ts'
import { moveClock } from '#server/engine/clock.ts'
import { feature } from '#server/engine/module.ts'
import { type Route, type RouteContext, RouteResponse } from '#server/engine/route.ts'
import { routeWithInput } from '#server/engine/route-input.ts'
import { customer } from '../customers/customer.ts'
import { BILLING_ADMIN_ROLE, INVOICING_PACK, STAFF_ROLE } from '../rights.ts'
import {
  addCard,
  cardBehaviour,
  detachCard,
  getPaymentGateway,
  startCardEntry,
  syncCustomerCards,
} from './card.server.ts'
import { card } from './card.ts'
import { mandateRoutes, mandateSchedule } from './mandate.server.ts'
import { mandate } from './mandate.ts'
import type { CardEntryPurpose } from './payment-gateway.server.ts'
import { TEST_CARDS } from './test-cards.ts'
import { findCardEntrySession, recordChallengeResult, tokeniseTestCard } from './test-gateway.server.ts'

/** Parameters of a test gateway page. */
interface PayPageOptions {
  readonly nonce: string
  readonly scheme: string
  /**
   * True if the card is entered for a payment. The card is then saved only if the payer requests it outside this page.
   */
  readonly pays: boolean
}

const CSS = `
*{box-sizing:border-box}body{margin:0;padding:16px;font:16px/1.5 system-ui,sans-serif;background:Canvas;color:CanvasText}
h1{font-size:1.125rem;margin:0 0 4px}p{margin:0 0 12px}.quiet{font-size:.875rem}
form{display:grid;gap:12px}label{display:grid;gap:4px;font-weight:600}.two{display:grid;grid-template-columns:1fr 1fr;gap:12px}
input{font:inherit;font-weight:400;min-height:44px;padding:8px 12px;border:1px solid GrayText;border-radius:4px;background:Field;color:FieldText;width:100%}
button{font:inherit;font-weight:600;min-height:44px;padding:8px 16px;border:1px solid #005387;border-radius:4px;background:#005387;color:#fff;cursor:pointer}
button.plain{background:Canvas;color:CanvasText;border-color:GrayText}
:focus-visible{outline:3px solid #2f8fd0;outline-offset:2px}
.error{border-left:4px solid #c1121f;padding:8px 12px;margin:0 0 12px;background:color-mix(in srgb,#c1121f 12%,Canvas)}
table{border-collapse:collapse;width:100%;font-size:.875rem}th,td{text-align:left;padding:4px 8px 4px 0}summary{padding-block:10px;cursor:pointer}
code{font-family:ui-monospace,monospace;white-space:nowrap}`

const html = ({ nonce, scheme }: PayPageOptions, title: string, body: string): string =>
  `<!doctype html><html lang="en-GB"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>${title}</title><style nonce="${nonce}">:root{color-scheme:${scheme}}${CSS}</style></head><body><main aria-label="${title}">${body}</main></body></html>`

const escapeHtml = (s: string) => s.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`)

/**
 * Returns the card form with the last error. Entered values are not shown again, because a card number must not be
 * stored anywhere.
 */
const cardEntryPage = (f: PayPageOptions, error?: string): string =>
  html(
    f,
    'Enter card details',
    `<h1>Test payment service</h1><p class="quiet">No real money is transferred. Use a test card, any future expiry date and any security code.</p>
${error ? `<p class="error" role="alert">${escapeHtml(error)}</p>` : ''}
<form method="post" enctype="multipart/form-data" autocomplete="off">
<label>Card number<input name="number" inputmode="numeric" maxlength="23" required></label>
<div class="two"><label>Expiry (MM/YY)<input name="expiry" placeholder="MM/YY" maxlength="7" required></label>
<label>Security code<input name="cvc" inputmode="numeric" maxlength="4" required></label></div>
<button>${f.pays ? 'Pay with this card' : 'Save this card'}</button></form>
<details><summary>Test cards</summary><table><thead><tr><th scope="col">Number</th><th scope="col">Result</th></tr></thead><tbody>${TEST_CARDS.map((c) => `<tr><td><code>${c.number.replace(/(.{4})(?=.)/g, '$1 ')}</code></td><td>${escapeHtml(c.title)}</td></tr>`).join('')}</tbody></table></details>`,
  )

/** Returns the page for the bank's confirmation (3-D Secure). */
const challengePage = (f: PayPageOptions, token: string): string =>
  html(
    f,
    'Confirm with your bank',
    `<h1>Confirm with your bank</h1><p>This simulates the page on which a bank asks the cardholder to confirm (3-D Secure).</p>
<form method="post" enctype="multipart/form-data"><input type="hidden" name="token" value="${escapeHtml(token)}">
<div class="two"><button name="answer" value="pass">Confirm</button><button name="answer" value="fail" class="plain">Refuse</button></div></form>`,
  )

/** Returns the page that sends the card's token to the parent window, but only if that window has the same origin. */
const cardEnteredPage = (f: PayPageOptions, token: string): string =>
  html(
    f,
    'Card entered',
    `<h1>Thank you</h1><p role="status">The card is being ${f.pays ? 'charged' : 'saved'}.</p>
<script nonce="${f.nonce}">parent.postMessage({type:'card',card:${JSON.stringify(token)}},location.origin)</script>`,
  )

const expiredPage = (f: PayPageOptions): string =>
  html(f, 'Page expired', '<h1>This page has expired</h1><p>Close it, then start again.</p>')

const PATH = '/pay/test/{session}'
const PAGE = 'text/html; charset=utf-8'

/**
 * The test gateway's pages for entering a card. They belong to the payment service, not to the portal, so they run in a
 * sandboxed frame without the portal's cookies or storage. Input goes only to the gateway.
 */
const payPages: readonly Route[] = [
  {
    method: 'GET',
    path: PATH,
    query: { scheme: choice(['light', 'dark'], { help: 'Colour scheme of the surrounding page.' }) },
    title: 'Show the test payment service’s card page',
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
    title: 'Enter card details with the test payment service',
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
          await recordChallengeResult(db, session, kept, form.answer === 'pass')
          return page(200, c, (f) => cardEnteredPage(f, kept), open)
        }
        const { token, challenge } = await tokeniseTestCard(db, session, {
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
  if ((await getPaymentGateway(c.engine)).name !== 'test') throw problem.notFound()
  return findCardEntrySession(c.engine.db, sessionOf(c))
}

/** Returns whether the request comes from a browser, which gets a page. Other HTTP clients get the usual error body. */
const asksForPage = ({ request }: RouteContext): boolean => /text\/html/i.test(String(request.headers.accept ?? ''))

const tooOld = () => new Problem(410, 'This card page has expired. Please start again.')

const sessionOf = (c: RouteContext): string => c.params.session ?? ''

/** Returns the form fields of at most 100 characters. Longer values and files are ignored. */
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
  session?: { readonly purpose: CardEntryPurpose },
): RouteResponse {
  const nonce = randomBytes(16).toString('base64')
  const scheme = c.query.scheme === 'dark' || c.query.scheme === 'light' ? c.query.scheme : 'light dark'
  return new RouteResponse(status, draw({ nonce, scheme, pays: session?.purpose === 'pay' }), {
    'content-type': PAGE,
    'cache-control': 'no-store',
    'content-security-policy': `default-src 'none'; script-src 'nonce-${nonce}'; style-src 'nonce-${nonce}'; form-action 'self'; frame-ancestors 'self'; base-uri 'none'`,
  })
}

const requestOf = (c: RouteContext, change = c.change()) => ({
  engine: c.engine,
  actor: c.me,
  requestId: c.request.id,
  change,
})
const detach = async (c: RouteContext) => detachCard(requestOf(c), await c.engine.idOf(card, c.actor, c.params.id))

/** Throws 404 unless the test gateway is in use. Only that gateway has a clock that can be set. */
async function testOnly(c: RouteContext): Promise<void> {
  if ((await getPaymentGateway(c.engine)).name !== 'test')
    throw problem.notFound('Only the test payment service has a clock that can be set.')
}
const clock = ({ engine }: RouteContext) => ({ now: engine.clock.now().toString({ smallestUnit: 'second' }) })

const ofCustomer = link(() => customer, { required: 'Field required, select an option' })
const cardToken = text({
  required: 'Send the card ID from the payment service',
  pattern: {
    regex: /^(?![\d\s-]{12,}$)/,
    message: 'Never send a card number here. Enter the card details with the payment service',
  },
})

const cardRoutes: readonly Route[] = [
  routeWithInput(
    { customer: ofCustomer },
    {
      method: 'POST',
      path: '/api/financial/cards/setup',
      title: 'Set up card entry for a customer',
      allow: STAFF_ROLE,
      secret: true,
      handle: async (c) => ({ ...(await startCardEntry(requestOf(c), c.input.customer)) }),
    },
  ),
  routeWithInput(
    { customer: ofCustomer, card: cardToken },
    {
      method: 'POST',
      path: '/api/financial/cards',
      title: 'Save a card entered with the payment service',
      allow: STAFF_ROLE,
      handle: async (c) => {
        const answer = (made: RecordOf<typeof card>) => new RouteResponse(201, made, { location: made['@id'] })
        return answer(await addCard(requestOf(c, c.change(answer)), c.input.customer, c.input.card))
      },
    },
  ),
  {
    method: 'GET',
    path: '/api/financial/cards/detach/{id}',
    writesOnGet: true,
    title: 'Remove a card',
    allow: STAFF_ROLE,
    handle: detach,
  },
  {
    method: 'POST',
    path: '/api/financial/cards/{id}/detach',
    title: 'Remove a card',
    allow: STAFF_ROLE,
    handle: detach,
  },
  {
    method: 'POST',
    path: '/api/financial/customers/{id}/cards/refresh',
    title: 'Synchronise the cards with the payment service',
    allow: STAFF_ROLE,
    handle: async (c) => {
      const id = await c.engine.idOf(customer, c.actor, c.params.id)
      await syncCustomerCards(requestOf(c), id)
      return c.engine.one(customer, c.actor, id)
    },
  },
  {
    method: 'GET',
    path: '/api/financial/test_clock',
    title: 'Get the test payment service’s time',
    allow: BILLING_ADMIN_ROLE,
    provider: true,
    handle: async (c) => {
      await testOnly(c)
      return clock(c)
    },
  },
  routeWithInput(clockOffsetFields, {
    method: 'POST',
    path: '/api/financial/test_clock',
    title: 'Move the clocks of the portal and its test payment service forward by a number of days',
    allow: BILLING_ADMIN_ROLE,
    provider: true,
    handle: async (c) => {
      await testOnly(c)
      await moveClock(c.engine, c.input.days)
      return clock(c)
    },
  }),
]

export const cards = feature({
  pack: INVOICING_PACK,
  resources: [card, mandate],
  behaviours: [cardBehaviour],
  routes: [...cardRoutes, ...mandateRoutes, ...payPages],
  schedules: [mandateSchedule],
  seeds: () => import('./demo.server.ts'),
})
