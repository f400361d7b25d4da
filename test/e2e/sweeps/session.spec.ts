import { expect } from '@playwright/test'
import { test } from '../support/journey.ts'
import { CREATE_CONTACT_PATH, endSessions, fillInContact, signInWithForm } from '../support/own-session.ts'

test.use({ serviceWorkers: 'allow' })

test('a reload after the session has ended opens the sign-in page, which states the reason and returns to the original page', async ({
  page,
}) => {
  await signInWithForm(page, CREATE_CONTACT_PATH)
  await endSessions(page)
  await page.reload()
  await page.waitForURL((url) => url.pathname === '/')
  expect(new URL(page.url()).searchParams.get('error')).toBe('Expired Session')
  await expect(page.getByText('Your session has ended. Please sign in again.')).toBeVisible()
  await page.getByLabel('Username').fill('staff')
  await fillInContact(page)
  await page.waitForURL((url) => url.pathname === CREATE_CONTACT_PATH)
})

test('no script can read the session token', async ({ page, context }) => {
  await signInWithForm(page, '/dashboard')
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
