import { type APIRequestContext, expect } from '@playwright/test'
import { totpCode } from '../../support/authenticators.ts'
import { expectAccessible } from '../support/accessibility.ts'
import { setOwnPassword } from '../support/api.ts'
import { DEMO_PASSWORD, PHONE_OPTIONS, test, waitUntilSettled } from '../support/journey.ts'
import { saveRecoveryCodes, signOut, typePassword } from '../support/sign-in.ts'

const OWN_PASSWORD = 'harbour tin piano'
const HEADERS = { 'x-requested-with': 'portal' }

/** Creates a member of the provider's staff that no other test uses. An administrator may set their first password. */
async function newColleague(request: APIRequestContext, username: string): Promise<void> {
  const login = await request.post('/api/security/login', { data: { username: 'manager', password: DEMO_PASSWORD } })
  const { token } = (await login.json()) as { token: string }
  const headers = { ...HEADERS, authorization: `Bearer ${token}` }
  const data = { username, name: 'Robin Factor', roles: ['ROLE_STAFF'] }
  const made = await request.post('/api/portal/users', { data, headers })
  const { '@id': user } = (await made.json()) as { '@id': string }
  await setOwnPassword(request, { headers }, { user, username, password: OWN_PASSWORD })
}

test('an authenticator app is set up and then required at sign-in, where a recovery code is also accepted', async ({
  page,
}) => {
  await newColleague(page.request, 'factor.app')
  await page.goto('/')
  await typePassword(page, 'factor.app', OWN_PASSWORD)
  await page.waitForURL('**/dashboard')
  await page.goto('/profile/security')
  await waitUntilSettled(page)
  await expectAccessible(page)

  await page.getByRole('button', { name: 'Set up app' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('img', { name: /^QR code/ })).toBeVisible()
  const secret = String(await dialog.getByTestId('secret').textContent()).replace(/\s/g, '')
  await expectAccessible(page)
  const code = dialog.getByRole('textbox', { name: /Type the code/ })
  await expect(code).toHaveAttribute('autocomplete', 'one-time-code')
  await code.fill('000000')
  await code.press('Enter')
  await expect(dialog.getByText('This is not the app’s current code. Please try the next one.')).toBeVisible()
  const used = totpCode(secret)
  await code.fill(used)
  await code.press('Enter')

  const codes = page.getByRole('dialog').getByRole('list', { name: 'Recovery codes' }).getByRole('listitem')
  await expect(codes).toHaveCount(10)
  const recovery = await codes.allInnerTexts()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByText('Please save the codes first, then tick this box')).toBeVisible()
  await page.getByLabel('I have saved these codes').check()
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByText('10 left. Each works once.')).toBeVisible()

  await signOut(page)
  await typePassword(page, 'factor.app', OWN_PASSWORD)
  await expect(page.getByRole('heading', { name: 'Two-step verification' })).toBeVisible()
  await expectAccessible(page)
  const second = page.getByLabel('Code from your authenticator app')
  await expect(second).toBeFocused()
  await second.fill(used)
  await second.press('Enter')
  await expect(page.getByText('This code is wrong or has been used.')).toBeVisible()
  await page.getByRole('button', { name: 'Use a recovery code' }).click()
  await page.getByLabel('Recovery code').fill(String(recovery[0]).toLowerCase())
  await page.keyboard.press('Enter')
  await page.waitForURL('**/dashboard')

  // Simulates that ten minutes have passed: a guarded action asks for confirmation again and then continues
  // automatically.
  await page.goto('/profile/security')
  await waitUntilSettled(page)
  let asked = false
  await page.route('**/recovery_codes', async (route) => {
    if (asked) return route.continue()
    asked = true
    await route.fulfill({ status: 403, json: { code: 'proof_required', 'hydra:description': 'Please prove it' } })
  })
  await page.getByRole('button', { name: 'Create new recovery codes' }).click()
  await page.getByRole('button', { name: 'Create new codes' }).click()
  const again = page.getByRole('dialog', { name: 'Confirm it is you' })
  await expect(again.getByLabel('Code from your authenticator app')).toBeFocused()
  await expectAccessible(page)
  await again.getByRole('button', { name: 'Use a recovery code' }).click()
  await again.getByLabel('Recovery code').fill(String(recovery[1]))
  await again.getByRole('button', { name: 'Continue' }).click()
  const renewed = await saveRecoveryCodes(page)
  expect(renewed).not.toContain(recovery[2])
  await expect(again).toBeHidden()
  await expect(page.getByText('10 left. Each works once.')).toBeVisible()
})

test('a passkey is added on a phone, used to sign in, renamed and removed', async ({ portal, elsewhere }) => {
  const origin = portal.origin.replace('127.0.0.1', 'localhost')
  const page = await elsewhere({ ...PHONE_OPTIONS, baseURL: origin })
  await newColleague(page.request, 'factor.passkey')
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  await page.goto('/')
  await typePassword(page, 'factor.passkey', OWN_PASSWORD)
  await page.waitForURL('**/dashboard')
  await page.goto('/profile/security')
  await page.getByRole('button', { name: 'Add passkey' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('My phone')
  await dialog.getByRole('button', { name: 'Create passkey' }).click()
  await saveRecoveryCodes(page)
  await expect(page.getByRole('list', { name: 'Passkeys' })).toContainText('My phone')
  await waitUntilSettled(page)
  await expectAccessible(page)

  await signOut(page)
  await typePassword(page, 'factor.passkey', OWN_PASSWORD)
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await page.waitForURL('**/dashboard')

  await page.goto('/profile/security')
  await page.getByRole('button', { name: 'Rename My phone' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill('Work phone')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Remove Work phone' }).click()
  await page.getByRole('button', { name: 'Remove passkey' }).click()
  await expect(page.getByRole('list', { name: 'Passkeys' })).toBeHidden()
  await expect(
    page.getByText('With a second factor, somebody who knows your password still can’t sign in as you.'),
  ).toBeVisible()
})
