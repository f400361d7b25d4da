import { expect, type Page } from '@playwright/test'
import { DEMO_PASSWORD, test, waitUntilSettled } from './journey.ts'

// User agent of this test, which ends only sessions with this user agent.
export const SESSION_TEST_USER_AGENT = 'The journey of a session'
export const CREATE_CONTACT_PATH = '/cms/contact/create'
test.use({ userAgent: SESSION_TEST_USER_AGENT })

export async function fillInContact(page: Page) {
  await page.getByLabel('Password', { exact: true }).fill(DEMO_PASSWORD)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}
export async function signInWithForm(page: Page, path: string) {
  await page.goto(`/?next=${encodeURIComponent(path)}`)
  await page.getByLabel('Username').fill('staff')
  await fillInContact(page)
  await page.waitForURL((url) => url.pathname === path)
  await waitUntilSettled(page)
}

/** Ends this test's sessions from another device of the same user. */
export async function endSessions(page: Page) {
  const post = await page.request.post('/api/security/login', {
    data: { username: 'staff', password: DEMO_PASSWORD },
    headers: { 'user-agent': 'Another device' },
  })
  const headers = { authorization: `Bearer ${(await post.json()).token}` }
  const list = await (await page.request.get('/api/security/sessions', { headers })).json()
  const ours = list['hydra:member'].filter((s: { agent: string }) => s.agent === SESSION_TEST_USER_AGENT)
  expect(ours.length).toBeGreaterThan(0)
  for (const s of ours) expect((await page.request.delete(s['@id'], { headers })).status()).toBe(204)
}
