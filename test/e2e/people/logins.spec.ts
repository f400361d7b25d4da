import { expect } from '@playwright/test'
import { expectAccessible } from '../support/accessibility.ts'
import { PHONE_OPTIONS, signIn, test, waitUntilSettled } from '../support/journey.ts'

const EMAIL_WAIT = { timeout: 20_000 }
const PASSWORD = 'three brown walnuts'

test('an administrator sends login details, and the employee signs in for the first time on a phone', async ({
  page,
  elsewhere,
  portal,
}) => {
  await signIn(page, 'admin.brick', '/employee')
  await page.getByRole('button', { name: 'What is My-Task?' }).click()
  await expect(page.getByRole('dialog', { name: 'What is My-Task?' })).toContainText('Send Login Details')
  await waitUntilSettled(page)
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Send Login Details to Dominic Achebe' }).click()
  const question = page.getByRole('dialog', { name: 'Send Login Details' })
  await expect(question).toContainText('within 7 days')
  await question.getByRole('button', { name: 'Send' }).click()

  const linkOf = () =>
    /http:\S+\/first-sign-in\/\S+/.exec(
      portal.letters.findLast(({ to }) => to === 'dominic.achebe@brick.example')?.text ?? '',
    )?.[0] ?? ''
  await expect.poll(linkOf, EMAIL_WAIT).not.toBe('')
  const phone = await elsewhere(PHONE_OPTIONS)
  await phone.goto(linkOf())
  await expect(phone.getByRole('heading', { name: 'Welcome, Dominic Achebe' })).toBeVisible()
  await waitUntilSettled(phone)
  await expectAccessible(phone)
  await phone.getByRole('textbox', { name: 'New password' }).fill(PASSWORD)
  await phone.getByRole('button', { name: 'Save password and sign in' }).click()
  await expect(phone).toHaveURL(/\/my-task$/)

  await page.getByRole('link', { name: 'Dominic Achebe' }).click()
  const details = page.getByRole('region', { name: 'Login details' })
  await expect(details.getByText('Signed in').first()).toBeVisible()
  await waitUntilSettled(page)
  await expectAccessible(page)
})
