import { expect, type Page } from '@playwright/test'
import { expectAccessible } from './support/accessibility.ts'
import { apiOf, makeTalk } from './support/api.ts'
import { PHONE, settled, signIn, test } from './support/journey.ts'
import { signAtTheEnd } from './support/signing.ts'

const AUTHOR = 'admin.brick'
const WORKER = 'worker.brick'

const bell = (page: Page) => page.getByRole('button', { name: /^Notices/ })
/** How many the bell says are unread. */
const unread = async (page: Page) =>
  Number(/(\d+) unread/.exec((await bell(page).getAttribute('aria-label')) ?? '')?.[1] ?? 0)
const safety = (page: Page) => page.getByRole('navigation', { name: 'Areas' }).getByRole('link', { name: /^Safety/ })

/** The worker is asked to sign a new talk; its title. */
async function askToSign(page: Page): Promise<string> {
  const [author, worker] = [await apiOf(page, AUTHOR), await apiOf(page, WORKER)]
  const title = `Slings and hooks ${Date.now() % 10_000}`
  const id = await makeTalk(page, author, title)
  const me = (await (await page.request.get('/api/security/user_check', worker)).json()) as { id: number }
  const asked = await page.request.post('/api/safety/sign_offs', {
    data: { document: `/api/safety/documents/${id}`, due: '2100-01-01', people: [me.id] },
    ...author,
  })
  expect(asked.status()).toBe(201)
  return title
}

test('who is asked to sign hears it at once, in all tabs and on the phone, until they have signed anywhere', async ({
  page,
  elsewhere,
}) => {
  test.slow()
  const worker = await apiOf(page, WORKER)
  const get = async (path: string) => (await page.request.get(path, worker)).json()
  await signIn(page, WORKER, '/about')
  await settled(page)
  const second = await page.context().newPage()
  await second.goto('/help')
  const phone = await elsewhere(PHONE)
  await signIn(phone, WORKER, '/about')
  /** Every tab says as many as there are, without having been loaded anew. */
  const inStep = () =>
    expect
      .poll(async () => {
        const { unread: there } = (await get('/api/portal/notices/summary')) as { unread: number }
        return (await Promise.all([page, second, phone].map(unread))).map((said) => said - there)
      })
      .toEqual([0, 0, 0])
  await inStep()

  const title = await askToSign(page)
  const known = async () => {
    const { 'hydra:member': all } = (await get('/api/portal/notices/inbox')) as {
      'hydra:member': { words: string; read: boolean; ended: boolean }[]
    }
    const one = all.find(({ words }) => words.includes(title))
    return one && [one.read, one.ended]
  }
  await expect.poll(known).toEqual([false, false])
  await inStep()
  await expect(safety(page)).toHaveAccessibleName(/\d+ to (sign|approve)/)
  await expectAccessible(page)

  await test.step('the bell says what, and opens it', async () => {
    await bell(page).click()
    const dialog = page.getByRole('dialog', { name: 'Notices' })
    const one = dialog.getByRole('listitem').filter({ hasText: title })
    await expect(one).toBeVisible()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
    await expect(bell(page)).toBeFocused()
    await bell(page).click()
    await one.getByRole('link').click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(title)
    // Read, and still to be done.
    await expect.poll(known).toEqual([true, false])
    await inStep()
  })

  await test.step('signed on the phone, it is over on the desk', async () => {
    await page.goto('/notices')
    const one = page.getByRole('main').getByRole('listitem').filter({ hasText: title })
    await expect(one).not.toContainText('done')
    await bell(phone).tap()
    await expectAccessible(phone)
    const box = await bell(phone).boundingBox()
    expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(44)
    await phone
      .getByRole('dialog', { name: 'Notices' })
      .getByRole('link', { name: new RegExp(title) })
      .tap()
    await signAtTheEnd(phone)
    await expect.poll(known).toEqual([true, true])
    await expect(one).toContainText('done')
    await expectAccessible(page)
  })

  await test.step('what is read is marked so, one and all, and what is told is chosen', async () => {
    const main = page.getByRole('main')
    const one = main.getByRole('listitem').filter({ hasText: title })
    await one.getByRole('button', { name: /^Mark as unread/ }).click()
    await expect.poll(known).toEqual([false, true])
    await inStep()
    await main.getByRole('button', { name: 'Mark all as read' }).click()
    for (const tab of [page, second, phone]) await expect.poll(() => unread(tab)).toBe(0)
    await main.getByRole('link', { name: 'what I am told of' }).click()
    await expectAccessible(page)
    // Whatever else there was may have been signed by now.
    await askToSign(page)
    const choice = page.getByRole('checkbox', { name: 'Bell: Documents to sign' })
    await choice.click()
    await expect(safety(page)).not.toHaveAccessibleName(/to (sign|approve)/)
    await page.reload()
    await expect(choice).not.toBeChecked()
    await choice.click()
    await expect(safety(page)).toHaveAccessibleName(/to (sign|approve)/)
  })
})

test('the stream moves to the next tab when its own is closed, and what is read in one is read in all', async ({
  page,
}) => {
  await askToSign(page)
  await signIn(page, WORKER, '/about')
  await expect(safety(page)).toHaveAccessibleName(/\d+ to (sign|approve)/)
  const second = await page.context().newPage()
  const streams: string[] = []
  second.on('request', (r) => r.url().endsWith('/notices/summary') && streams.push(r.url()))
  await second.goto('/help')
  await expect(safety(second)).toHaveAccessibleName(/\d+ to (sign|approve)/)
  expect(streams).toEqual([])
  await page.close()
  await expect.poll(() => streams.length).toBe(1)
  const worker = await apiOf(second, WORKER)
  const all = await second.request.post('/api/portal/notices/read_all', worker)
  expect(all.status()).toBe(200)
  await expect.poll(() => unread(second)).toBe(0)
})

test('an open quote says by itself that its customer has accepted it', async ({ page }) => {
  const manager = await apiOf(page, 'manager')
  const list = await page.request.get('/api/financial/quotes?state=open&order[expiresAt]=desc&itemsPerPage=30', manager)
  interface Open {
    readonly id: number
    readonly '@id': string
    readonly number: number
    readonly ownedBy: string
  }
  const open = ((await list.json()) as { 'hydra:member': readonly Open[] })['hydra:member']
  // Q-00003 is the one that quotes.spec declines.
  const quote = open.find((q) => q.number !== 3 && ['staff', 'manager'].includes(q.ownedBy)) as Open
  const made = await page.request.post(`${quote['@id']}/link`, { data: {}, ...manager })
  const token = ((await made.json()) as { link: string }).link.split('/quote/')[1]
  await signIn(page, quote.ownedBy, `/crm/quote/${quote.id}`)
  await settled(page)
  // The stream has said how it stands: what comes from now on is news. Leads to be rung back may be among it.
  await expect.poll(() => unread(page)).toBeGreaterThan(0)
  const before = await unread(page)
  const accepted = await page.request.post(`/api/financial/acceptances/${token}/accept`, {
    data: { signature: { method: 'typed', name: 'Ann Carter' } },
  })
  expect(accepted.status()).toBe(200)
  await expect.poll(() => unread(page)).toBeGreaterThan(before)
  await expect(page.getByText('Ann Carter accepted and signed')).toBeVisible()
})
