import { expect, type Page } from '@playwright/test'
import { PASSWORD, settled, test } from './support/journey.ts'

test.use({ serviceWorkers: 'allow' })

// Only this browser's sessions are ended.
const AGENT = 'The journey of a session'
const CREATE = '/cms/contact/create'
test.use({ userAgent: AGENT })

async function fillIn(page: Page) {
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}
async function signIn(page: Page, path: string) {
  await page.goto(`/?next=${encodeURIComponent(path)}`)
  await page.getByLabel('Username').fill('staff')
  await fillIn(page)
  await page.waitForURL((url) => url.pathname === path)
  await settled(page)
}

/** Ends this journey's sessions from another device of the same person. */
async function endSessions(page: Page) {
  const post = await page.request.post('/api/security/login', {
    data: { username: 'staff', password: PASSWORD },
    headers: { 'user-agent': 'Another device' },
  })
  const headers = { authorization: `Bearer ${(await post.json()).token}` }
  const list = await (await page.request.get('/api/security/sessions', { headers })).json()
  const ours = list['hydra:member'].filter((s: { agent: string }) => s.agent === AGENT)
  expect(ours.length).toBeGreaterThan(0)
  for (const s of ours) expect((await page.request.delete(s['@id'], { headers })).status()).toBe(204)
}

test('a session that ends keeps what was typed, and goes on after signing in on the spot', async ({ page }) => {
  const company = `Kept & Sons ${Date.now()}`
  await signIn(page, CREATE)
  await page.getByLabel('Company name').fill(company)
  await endSessions(page)
  await page.getByRole('button', { name: 'Save and open' }).click()

  const dialog = page.getByRole('dialog', { name: 'Please sign in again' })
  await expect(dialog).toContainText('Your session has ended')
  await expect(dialog).toContainText('what you have typed is kept')
  await expect(dialog.getByLabel('Username')).toHaveValue('staff')
  await dialog.getByLabel('Password', { exact: true }).fill('wrong-password')
  await dialog.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(dialog.getByRole('alert')).toContainText('do not belong together')
  await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await dialog.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(dialog).toHaveCount(0)

  await expect(page.getByLabel('Company name')).toHaveValue(company)
  await page.getByRole('button', { name: 'Save and open' }).click()
  await page.waitForURL(/\/crm\/contact\/view\/\d+/)
  await expect(page.getByRole('heading', { level: 1 })).toContainText(company)
})

test('a reload after the end leads to the sign-in page, which says why, and back', async ({ page }) => {
  await signIn(page, CREATE)
  await endSessions(page)
  await page.reload()
  await page.waitForURL((url) => url.pathname === '/')
  expect(new URL(page.url()).searchParams.get('error')).toBe('Expired Session')
  await expect(page.getByText('Your session has ended. Please sign in again.')).toBeVisible()
  await page.getByLabel('Username').fill('staff')
  await fillIn(page)
  await page.waitForURL((url) => url.pathname === CREATE)
})

test('signing out ends it everywhere in this browser, and leads to the sign-in page', async ({ page, context }) => {
  await signIn(page, '/dashboard')
  const tab = await context.newPage()
  await tab.goto('/profile')
  await expect(tab.getByRole('heading', { level: 1 })).toBeVisible()
  await page.getByRole('button', { name: /^Me:/ }).click()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.waitForURL((url) => url.pathname === '/')
  await page.goto('/dashboard')
  await page.waitForURL((url) => url.pathname === '/')
  await tab.reload()
  await tab.waitForURL((url) => url.pathname === '/')
  expect((await context.cookies()).filter((c) => c.name === 'stanchion_session')).toEqual([])
})

test('the token is nowhere that a script can read it', async ({ page, context }) => {
  await signIn(page, '/dashboard')
  const kept = await page.evaluate(() =>
    JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage), document.cookie]),
  )
  const { token } = (await (
    await page.request.post('/api/security/renew', { data: {}, headers: { 'x-requested-with': 'portal' } })
  ).json()) as { token: string }
  expect(token).toMatch(/^[\w-]{43}$/)
  expect(kept).not.toMatch(/[\w-]{43}/)
  const [cookie] = (await context.cookies()).filter((c) => c.name === 'stanchion_session')
  expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict', path: '/api/security' })
})
