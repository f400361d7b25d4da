import { expect, type Page } from '@playwright/test'
import { expectAccessible } from './support/accessibility.ts'
import { apiOf, makeTalk } from './support/api.ts'
import { PHONE, settled, signIn, test } from './support/journey.ts'
import { signAtTheEnd } from './support/signing.ts'

const AUTHOR = 'admin.brick'
const WORKER = 'worker.brick'

const bell = (page: Page) => page.getByRole('button', { name: /^Notices/ })
/** How many the bell says are unread. */
const unread = async (page: Page) => Number(/(\d+) unread/.exec((await bell(page).getAttribute('aria-label')) ?? '')?.[1] ?? 0)
const safety = (page: Page) => page.getByRole('navigation', { name: 'Areas' }).getByRole('link', { name: /^Safety/ })

test('who is asked to sign hears it at once, in all tabs and on the phone, until they have signed anywhere', async ({
  page,
  elsewhere,
}) => {
  test.slow()
  const author = await apiOf(page, AUTHOR)
  await signIn(page, WORKER, '/about')
  await settled(page)
  await expect(safety(page)).toHaveAccessibleName(/\d+ waiting/)
  const before = await unread(page)
  const second = await page.context().newPage()
  await second.goto('/help')
  await expect.poll(() => unread(second)).toBe(before)
  const phone = await elsewhere(PHONE)
  await signIn(phone, WORKER, '/about')

  const title = `Slings and hooks ${Date.now() % 10_000}`
  const id = await makeTalk(page, author, title)
  const me = (await (await page.request.get('/api/security/user_check', await apiOf(page, WORKER))).json()) as { id: number }
  const asked = await page.request.post('/api/safety/sign_offs', {
    data: { document: `/api/safety/documents/${id}`, due: '2100-01-01', people: [me.id] },
    ...author,
  })
  expect(asked.status()).toBe(201)
  for (const one of [page, second, phone]) await expect.poll(() => unread(one)).toBe(before + 1)
  await expectAccessible(page)

  await test.step('the bell says what, and opens it', async () => {
    await bell(page).click()
    const dialog = page.getByRole('dialog', { name: 'Notices' })
    const first = dialog.getByRole('listitem').first()
    await expect(first).toContainText(title)
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
    await expect(bell(page)).toBeFocused()
    await bell(page).click()
    await first.getByRole('link').click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(title)
    // Read, and still to be done.
    await expect.poll(() => unread(page)).toBe(before)
    await expect.poll(() => unread(second)).toBe(before)
  })

  await test.step('signed on the phone, it is over on the desk', async () => {
    const waiting = await safety(page).getAttribute('aria-label')
    await bell(phone).tap()
    await expectAccessible(phone)
    const box = await bell(phone).boundingBox()
    expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(44)
    await phone.getByRole('dialog', { name: 'Notices' }).getByRole('link', { name: new RegExp(title) }).tap()
    await signAtTheEnd(phone)
    await expect(safety(page)).not.toHaveAccessibleName(waiting ?? '')
    await page.goto('/notices')
    await expect(page.getByRole('listitem').filter({ hasText: title })).toContainText('done')
    await expectAccessible(page)
  })

  await test.step('what is read is marked so, one and all, and what is told is chosen', async () => {
    const one = page.getByRole('main').getByRole('listitem').filter({ hasText: title })
    await one.getByRole('button', { name: /^Mark as unread/ }).click()
    await expect.poll(() => unread(page)).toBe(before + 1)
    await page.getByRole('main').getByRole('button', { name: 'Mark all as read' }).click()
    await expect.poll(() => unread(page)).toBe(0)
    await expect.poll(() => unread(second)).toBe(0)
    await page.getByRole('main').getByRole('link', { name: 'what I am told of' }).click()
    await expectAccessible(page)
    await page.getByRole('checkbox', { name: 'Bell: Documents to sign' }).uncheck()
    await expect(safety(page)).toHaveAccessibleName('Safety')
    await page.reload()
    await expect(page.getByRole('checkbox', { name: 'Bell: Documents to sign' })).not.toBeChecked()
    await page.getByRole('checkbox', { name: 'Bell: Documents to sign' }).check()
    await expect(safety(page)).toHaveAccessibleName(/waiting/)
  })
})

test('the stream moves to the next tab when its own is closed, and begins anew after signing in again', async ({ page, portal }) => {
  void portal
  await signIn(page, WORKER, '/about')
  await expect(safety(page)).toHaveAccessibleName(/\d+ waiting/)
  const second = await page.context().newPage()
  const streams: string[] = []
  second.on('request', (r) => r.url().endsWith('/notices/summary') && streams.push(r.url()))
  await second.goto('/help')
  await expect(safety(second)).toHaveAccessibleName(/\d+ waiting/)
  expect(streams).toEqual([])
  await page.close()
  await expect.poll(() => streams.length).toBe(1)
  const worker = await apiOf(second, WORKER)
  const all = await second.request.post('/api/portal/notices/read_all', worker)
  expect(all.status()).toBe(200)
  await expect.poll(() => unread(second)).toBe(0)
})
