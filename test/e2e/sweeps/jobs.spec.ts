import { expect, type Page } from '@playwright/test'
import { makeTalk, signInToApi } from '../support/api.ts'
import { makePressCounter } from '../support/hands.ts'
import { PHONE_OPTIONS, signIn, test, waitUntilSettled } from '../support/journey.ts'
import { drawSignature } from '../support/signing.ts'

// Tests how many key presses or clicks the most frequent tasks need. quotes.spec.ts covers the tasks from a lead to a
// sent quote, and from a failed save to the faulty line; talks.spec.ts covers a talk with three people.

const lead = (page: Page) => page.locator('[data-lead-screen]')

test('a seller reaches the first call with one click after sign-in, and ends it with one key, which opens the next lead immediately', async ({
  page,
}) => {
  await signIn(page, 'staff', '/dashboard')
  const begin = makePressCounter(page)
  await begin.click(page.getByRole('button', { name: 'Start calling' }))
  await expect(lead(page)).toBeVisible()
  expect(begin.pressed()).toBe(1)
  await expect(page.getByRole('region', { name: 'Outcome of the call' })).toHaveAttribute('data-settled', 'true')
  await waitUntilSettled(page)
  const former = await lead(page).getAttribute('data-lead-screen')
  let answer = () => {}
  const answered = new Promise<void>((resolve) => {
    answer = resolve
  })
  await page.route('**/outcome', async (route) => {
    await answered
    await route.continue()
  })
  const call = makePressCounter(page)
  await call.key('1')
  await expect(lead(page)).not.toHaveAttribute('data-lead-screen', former ?? '')
  expect(call.pressed()).toBe(1)
  answer()
})

test("the customer's link is copied with one click", async ({ page }) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await signIn(page, 'staff', '/crm/quotes?state=open')
  await page.locator('[data-row-link]').first().click()
  const job = makePressCounter(page)
  await job.click(page.getByRole('button', { name: 'Copy the link' }))
  await expect(page.getByText('Link copied.')).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/^http/)
  expect(job.pressed()).toBe(1)
})

test('an employee finds, reads and signs a document with three taps and a drawing', async ({ page, elsewhere }) => {
  const author = await signInToApi(page, 'admin.brick')
  const title = `Harness checks ${Date.now() % 10_000}`
  const id = await makeTalk(page, author, title)
  const me = (await (
    await page.request.get('/api/security/user_check', await signInToApi(page, 'worker.brick'))
  ).json()) as {
    id: number
  }
  const asked = { document: `/api/safety/documents/${id}`, due: '2100-01-01', people: [me.id] }
  expect((await page.request.post('/api/safety/sign_offs', { data: asked, ...author })).status()).toBe(201)
  const phone = await elsewhere(PHONE_OPTIONS)
  await signIn(phone, 'worker.brick', '/dashboard')
  const job = makePressCounter(phone)
  await job.tap(phone.getByRole('link', { name: new RegExp(title) }))
  await expect(phone.getByRole('article')).toContainText('Look up before you lift.')
  await job.tap(phone.getByRole('region', { name: 'Sign', exact: true }).getByRole('button', { name: 'Sign' }))
  await drawSignature(phone)
  await job.tap(phone.getByRole('dialog').getByRole('button', { name: 'Sign', exact: true }))
  await expect(phone.getByRole('region', { name: 'Signed', exact: true })).toContainText('You signed on')
  expect(job.pressed()).toBe(3)
})

test('a document rejected last week is found with two clicks, and a list is exported with two clicks', async ({
  page,
}) => {
  await signIn(page, 'admin.brick', '/safety/risk-assessment')
  const find = makePressCounter(page)
  await find.click(page.getByRole('button', { name: 'Status', exact: true }))
  await find.click(page.getByRole('option', { name: /^Rejected/ }))
  await expect(page.getByRole('link', { name: 'RA-0005' })).toBeVisible()
  expect(find.pressed()).toBe(2)
  const send = makePressCounter(page)
  await send.click(page.getByRole('button', { name: /^Export/ }))
  const file = page.waitForEvent('download')
  await send.click(page.getByRole('menuitem').first())
  expect((await file).suggestedFilename()).toMatch(/\.(xlsx|csv)$/)
  expect(send.pressed()).toBe(2)
})

test('fifty leads are assigned with four clicks including confirmation, and unassigned with one more', async ({
  page,
}) => {
  await signIn(page, 'manager', '/crm/contact/list?category=NEW&rows=50')
  await expect(page.locator('[data-row-link]').nth(49)).toBeVisible()
  const owners = () => page.locator('tbody tr').getByText('Sam Taylor', { exact: true }).count()
  const before = await owners()
  const job = makePressCounter(page)
  await job.click(page.getByRole('checkbox', { name: /all/i }).first())
  await job.click(
    page.getByRole('region', { name: 'Selected rows' }).getByRole('button', { name: 'Owner', exact: true }),
  )
  await job.click(page.getByRole('option', { name: 'Sam Taylor' }))
  expect(await owners()).toBe(before)
  await job.click(page.getByRole('button', { name: 'Change 50 rows' }))
  await expect.poll(owners).toBe(50)
  expect(job.pressed()).toBe(4)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(owners).toBe(before)
})
