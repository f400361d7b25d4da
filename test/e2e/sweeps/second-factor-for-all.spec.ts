import { expect } from '@playwright/test'
import { totpCode } from '../../support/authenticators.ts'
import { expectAccessible } from '../support/accessibility.ts'
import { DEMO_PASSWORD, PHONE_OPTIONS, test } from '../support/journey.ts'
import { saveRecoveryCodes, signOut, typePassword } from '../support/sign-in.ts'

// Tests the first and later sign-ins of a client's employee with a mandatory second factor.

test.use({ ownPortal: { SECOND_FACTOR: 'all' } })

test('an employee sets up an authenticator app at the first sign-in, and later signs in with a code or a recovery code', async ({
  elsewhere,
  portal,
}) => {
  const page = await elsewhere({ ...PHONE_OPTIONS, baseURL: portal.origin })
  await page.goto('/dashboard')
  await typePassword(page, 'worker.brick', DEMO_PASSWORD)
  await expect(page.getByRole('heading', { name: 'Set up a second factor' })).toBeFocused()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Authenticator app on my phone' }).click()
  const secret = String(await page.getByTestId('secret').textContent()).replace(/\s/g, '')
  await expectAccessible(page)
  const first = page.getByRole('textbox', { name: /Type the code/ })
  await first.fill(totpCode(secret))
  await first.press('Enter')
  await expect(page.getByRole('heading', { name: 'Save your recovery codes' })).toBeFocused()
  await expectAccessible(page)

  // A user is signed in only after confirming that the recovery codes are saved.
  const codes = await saveRecoveryCodes(page)
  await page.waitForURL('**/dashboard')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()

  await signOut(page)
  await typePassword(page, 'worker.brick', DEMO_PASSWORD)
  const code = page.getByLabel('Code from your authenticator app')
  await expect(code).toBeFocused()
  // The code after the used one is also valid, because the clocks of authenticator apps may be half a minute fast.
  await code.fill(totpCode(secret, 1))
  await code.press('Enter')
  await page.waitForURL('**/dashboard')

  await signOut(page)
  const recover = async () => {
    await typePassword(page, 'worker.brick', DEMO_PASSWORD)
    await page.getByRole('button', { name: 'Use a recovery code' }).click()
    await page.getByLabel('Recovery code').fill(String(codes[0]))
    await page.keyboard.press('Enter')
  }
  await recover()
  await page.waitForURL('**/dashboard')
  await signOut(page)
  await recover()
  await expect(page.getByText('This is not one of your unused recovery codes.')).toBeVisible()
})
