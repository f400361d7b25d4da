import { expect, type Page } from '@playwright/test'
import { DEMO_PASSWORD, PHONE_OPTIONS, signIn, test, waitUntilSettled } from '../support/journey.ts'
import { findLayoutShift } from '../support/moved.ts'

test.use({ serviceWorkers: 'allow' })

/** Records all API requests that a page sends from now on, in order and in the form `GET /api/…`. */
function requestsOf(page: Page): string[] {
  const asked: string[] = []
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url())
    asked.push(`${request.method()} ${pathname}${search}`)
  })
  return asked
}

const expectedOf = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() => {
    const said = document.querySelector<HTMLMetaElement>('meta[name="expected"]')?.content ?? '{"asks":[]}'
    return (JSON.parse(said) as { asks: string[] }).asks
  })

for (const path of ['/crm/contact/list', '/crm/contact/view/:id']) {
  test(`${path} sends each request predicted by the server exactly once`, async ({ page }) => {
    await signIn(page, 'staff', '/crm/contact/list')
    const row = page.locator('[data-row-link]').first()
    const id = String(await row.getAttribute('data-row-link'))
    // Clears the data that earlier pages stored for this browser tab.
    await page.evaluate(() => sessionStorage.clear())
    const asked = requestsOf(page)
    await page.goto(path.replace(':id', id))
    await waitUntilSettled(page)
    const expected = (await expectedOf(page)).map((address) => address.replace(/^[?]/, '').replace(':id', id))
    expect(expected.length).toBeGreaterThan(0)
    const gets = asked.filter((address) => address.startsWith('GET /api/'))
    for (const address of ['/api/portal/public', ...expected])
      expect(
        gets.filter((one) => one === `GET ${address}`),
        address,
      ).toHaveLength(1)
    expect(asked.filter((address) => address === 'POST /api/security/renew')).toHaveLength(1)
  })
}

test('the first lead is shown after at most 25 requests, none of them for later screens', async ({ elsewhere }) => {
  const page = await elsewhere(PHONE_OPTIONS)
  const login = { username: 'staff', password: DEMO_PASSWORD }
  const answer = await page.request.post('/api/security/login', {
    data: login,
    headers: { 'x-requested-with': 'portal' },
  })
  expect(answer.status()).toBe(200)
  await page.addInitScript(() => {
    localStorage.setItem('stanchion-signed-in', '1')
    const look = () => {
      if (document.querySelector('[data-row-link]')) performance.mark('first-lead')
      else requestAnimationFrame(look)
    }
    look()
  })
  await page.goto('/crm/contact/list')
  await waitUntilSettled(page)
  await expect(page.locator('[data-row-link]').first()).toBeVisible()
  const before = await page.evaluate(() => {
    const [seen] = performance.getEntriesByName('first-lead')
    return performance
      .getEntriesByType('resource')
      .filter((entry) => entry.startTime < (seen?.startTime ?? 0))
      .map((entry) => entry.name)
  })
  // The limit includes the request for the page itself.
  expect(before.length + 1).toBeLessThanOrEqual(25)
  expect(before.filter((name) => /palette|notices|sw[.]js|date/.test(name))).toEqual([])
})

test('a page opened by a signed-out visitor sends only public requests', async ({ page }) => {
  const asked = requestsOf(page)
  await page.goto('/crm/contact/list')
  await page.waitForURL((url) => url.pathname === '/')
  await waitUntilSettled(page)
  expect(asked.filter((address) => address.includes('/api/') && !address.includes('/api/portal/public'))).toEqual([])
})

test('the portal font is used from the first screen after sign-in, and never replaces another font while a page is being read', async ({
  page,
  elsewhere,
}) => {
  const wears = (of = page) => of.evaluate(() => document.documentElement.hasAttribute('data-face'))
  const kept = () => page.evaluate(() => localStorage.getItem('stanchion-face'))
  await page.goto('/')
  await expect.poll(kept).not.toBeNull()
  expect(await wears()).toBe(false)
  await page.getByLabel('Username').fill('staff')
  await page.getByLabel('Password', { exact: true }).fill(DEMO_PASSWORD)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL('**/dashboard')
  expect(await wears()).toBe(true)

  await page.reload()
  await waitUntilSettled(page)
  expect(await wears()).toBe(true)

  await test.step('a page keeps its fallback font when the portal font loads after the first paint', async () => {
    let come = () => {}
    const late = new Promise<void>((done) => (come = done))
    const slow = await elsewhere({ serviceWorkers: 'block' })
    await slow.addInitScript((face) => localStorage.setItem('stanchion-face', String(face)), await kept())
    await slow.route('**/*.woff2', (route) => late.then(() => route.continue()))
    await slow.goto('/', { waitUntil: 'commit' })
    await expect(slow.getByRole('button', { name: 'Sign in' })).toBeVisible()
    expect(await wears(slow)).toBe(false)
    come()
    await waitUntilSettled(slow)
    expect(await wears(slow)).toBe(false)
    expect(await findLayoutShift(slow)).toBeUndefined()
  })
})

/** Runs in the page. Delays `fetch` so that two URLs respond simultaneously and a third responds later. */
function answerTogether([first, second, late]: readonly string[]): void {
  const ask = window.fetch.bind(window)
  const come: (() => void)[] = []
  window.fetch = async (...asked) => {
    const { pathname } = new URL(asked[0] instanceof Request ? asked[0].url : asked[0], location.href)
    const answer = await ask(...asked)
    if (![first, second, late].includes(pathname)) return answer
    const text = await answer.text()
    if (pathname === first || pathname === second)
      await new Promise<void>((go) => {
        come.push(go)
        if (come.length === 2) for (const one of come) one()
      })
    if (pathname === late) await new Promise((go) => setTimeout(go, 500))
    return new Response(text || null, answer)
  }
}

test('rows appear together with the names in them, even when two lists are loaded at the same time', async ({
  elsewhere,
}) => {
  const phone = await elsewhere({ ...PHONE_OPTIONS, viewport: { width: 360, height: 740 } })
  await signIn(phone, 'manager', '/profile')
  const lists = ['/api/financial/discount_approvals', '/api/financial/refunds']
  await phone.addInitScript(answerTogether, [...lists, '/api/portal/names'])
  await phone.goto('/crm/approvals')
  await expect(phone.getByText('requested by Maya Campbell')).toBeVisible()
  await waitUntilSettled(phone)
  expect(await findLayoutShift(phone)).toBeUndefined()
})
