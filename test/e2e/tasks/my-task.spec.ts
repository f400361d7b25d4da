import { expect, type Page } from '@playwright/test'
import { expectAccessible } from '../support/accessibility.ts'
import { makeTalk, signInToApi } from '../support/api.ts'
import { DEMO_PASSWORD, PHONE_OPTIONS, test } from '../support/journey.ts'
import { waitForOfflineScripts, waitUntilCached } from '../support/keeper.ts'
import { signOpenDialog } from '../support/signing.ts'

test.use({ serviceWorkers: 'allow', colorScheme: 'dark', ownPortal: {} })

const WORKER = 'worker.brick'

async function expectNoSidewaysScroll(page: Page) {
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
}

test('a worker signs in on a phone, lands in My-Task, and signs and reports without a connection', async ({
  page,
  elsewhere,
}) => {
  test.slow()
  const author = await signInToApi(page, 'admin.brick')
  const title = `Slings ${Date.now() % 100_000}`
  const talk = await makeTalk(page, author, title)
  const people = (await (await page.request.get('/api/safety/sign_offs/people', author)).json()) as {
    'hydra:member': { id: number; username: string }[]
  }
  const worker = people['hydra:member'].find(({ username }) => username === WORKER)
  const due = Temporal.Now.plainDateISO('Europe/London').toString()
  const asked = { document: `/api/safety/documents/${talk}`, people: [worker?.id], due }
  expect((await page.request.post('/api/safety/sign_offs', { data: asked, ...author })).status()).toBe(201)

  const phone = await elsewhere(PHONE_OPTIONS)
  await phone.goto('/')
  await phone.getByLabel('Username').fill(WORKER)
  await phone.getByRole('textbox', { name: 'Password' }).fill(DEMO_PASSWORD)
  await phone.getByRole('button', { name: 'Sign in', exact: true }).tap()
  await expect(phone.getByRole('heading', { level: 1, name: 'Hello Callum Fraser' })).toBeVisible()
  expect(new URL(phone.url()).pathname).toBe('/my-task')
  await expect(phone.getByRole('link', { name: 'Portal' })).toHaveCount(0)
  const task = phone.getByRole('region', { name: 'To sign' }).getByRole('link', { name: new RegExp(title) })
  await expect(task).toContainText('Due today')
  await expectAccessible(phone)
  for (const target of await phone.locator('a:visible, button:visible').all())
    if (!(await target.textContent())?.startsWith('Skip'))
      expect((await target.boundingBox())?.height ?? 0).toBeGreaterThanOrEqual(48)
  await phone.getByRole('radio', { name: '200 %' }).check()
  await expectNoSidewaysScroll(phone)
  await phone.getByRole('radio', { name: '100 %' }).check()

  await test.step('the opened document is signed without a connection', async () => {
    await task.tap()
    await expect(phone.getByRole('article')).toContainText('Look up before you lift.')
    await expect(phone.getByRole('navigation', { name: 'Areas' })).toHaveCount(0)
    await expectAccessible(phone)
    await expectNoSidewaysScroll(phone)
    await waitUntilCached(phone, `toolbox_talks","one","${talk}`)
    await waitForOfflineScripts(phone)
    await phone.context().setOffline(true)
    await phone.reload()
    await phone.getByRole('region', { name: 'Sign', exact: true }).getByRole('button', { name: 'Sign' }).tap()
    await signOpenDialog(phone)
    await expect(phone.getByRole('region', { name: 'Signed', exact: true })).toBeVisible()
  })

  await test.step('My-Task opens without a connection, and warns before signing out', async () => {
    await phone.getByRole('link', { name: 'My-Task' }).tap()
    await expect(phone.getByText(/^No connection\. These are your tasks as of/)).toBeVisible()
    await expect(task).toContainText('Done on this device, not sent yet')
    await expectAccessible(phone)
    await phone.getByRole('button', { name: 'Sign out' }).tap()
    const dialog = phone.getByRole('dialog', { name: 'Unsent changes' })
    await expect(dialog).toContainText('Signature of Callum Fraser')
    await expectAccessible(phone)
    await dialog.getByRole('button', { name: 'Stay signed in' }).tap()
    await phone.getByRole('navigation', { name: 'Report something' }).getByRole('link').first().tap()
    await expect(phone.getByText('call 999 first')).toBeVisible()
    await phone.getByRole('link', { name: 'My-Task' }).tap()
    await expect(task).toBeVisible()
  })

  await phone.context().setOffline(false)
  await expect(async () => {
    const { body } = await page.request
      .get(`/api/safety/signatures?document=/api/safety/documents/${talk}`, author)
      .then(async (answer) => ({ body: (await answer.json()) as { 'hydra:member': { name: string }[] } }))
    expect(body['hydra:member'].map(({ name }) => name)).toEqual(['Callum Fraser'])
  }).toPass()
  // The page refreshes itself once the signature is delivered.
  await expect(task).toHaveCount(0)
  await expect(phone.getByRole('region', { name: 'To sign' })).toBeVisible()
})
