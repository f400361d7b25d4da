import { expect } from '@playwright/test'
import { expectAccessible } from '../support/accessibility.ts'
import { signIn, test, waitUntilSettled } from '../support/journey.ts'
import { measureOverflow } from '../support/screens.ts'

const PHONE_SIZE = { width: 390, height: 844 }

test('an administrator adds an employee, changes the job, and hands on the work of a manager who leaves', async ({
  page,
}) => {
  await signIn(page, 'admin.brick', '/employee')
  await page.getByRole('link', { name: 'Add employee' }).first().press('Enter')
  await page.getByLabel(/^Forename/).fill('Wanda')
  await page.getByLabel(/^Surname/).fill('Marlow')
  await page.getByLabel('Job title').fill('Carpenter')
  await page.getByRole('button', { name: 'Add employee' }).press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'Wanda Marlow' })).toBeVisible()
  await expectAccessible(page)

  await page.getByRole('link', { name: 'Edit', exact: true }).press('Enter')
  await page.getByLabel('Full Name').first().fill('Bob Marlow')
  await page.getByLabel('Phone Number').first().fill('07700 900555')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Save' }).press('Enter')
  await expect(page.getByRole('region', { name: 'Emergency contacts' })).toContainText('Bob Marlow')

  await page.getByRole('button', { name: 'Change job from a day' }).press('Enter')
  const job = page.getByRole('dialog')
  await job.getByLabel(/^First day/).fill('01/03/2099')
  await job.getByLabel('Job title').fill('Foreman')
  await expectAccessible(page)
  await job.getByRole('button', { name: 'Save change' }).press('Enter')
  await expect(page.getByRole('region', { name: 'Job history' })).toContainText('Planned')

  await page.goto('/employee')
  await page.getByRole('button', { name: 'Employee Search' }).press('Enter')
  const search = page.getByRole('dialog', { name: 'Employee Search' })
  await expect(search.getByRole('button', { name: 'Reset Search' })).toBeHidden()
  await search.getByLabel('Surname').fill('Hollis')
  await expect(search.getByRole('button', { name: 'Reset Search' })).toBeVisible()
  await expectAccessible(page)
  await search.getByRole('button', { name: 'Search', exact: true }).press('Enter')
  await page.getByRole('link', { name: 'Gary Hollis' }).press('Enter')
  await page.getByRole('button', { name: 'Retire' }).press('Enter')
  const retire = page.getByRole('dialog')
  await retire.getByLabel(/^Reason for leaving/).press('Enter')
  await page.getByRole('option', { name: 'Resigned' }).click()
  await expectAccessible(page)
  await retire.getByRole('button', { name: 'Retire' }).press('Enter')
  await expect(page.getByText('Left', { exact: true }).first()).toBeVisible()

  await page.getByRole('button', { name: 'Erase identity' }).press('Enter')
  const erasure = page.getByRole('dialog')
  await expect(erasure).toContainText('The identity must be stored until')
  await expectAccessible(page)
  await page.setViewportSize(PHONE_SIZE)
  expect(await measureOverflow(page)).toBeLessThanOrEqual(0)
  await page.setViewportSize({ width: 1440, height: 900 })
  await erasure.getByRole('button', { name: 'Cancel' }).press('Enter')

  // The report of the leaver now reports to the leaver's manager.
  await page.goto('/employee?surname=Okafor')
  await page.getByRole('link', { name: 'Joseph Okafor' }).press('Enter')
  await expect(page.getByRole('region', { name: 'Job', exact: true })).toContainText('Piotr Zielinski')

  for (const address of [
    '/employee/retired',
    '/employee/mass-update',
    '/employee/overview',
    '/employee/department/view',
    '/employee/department/update',
    '/employee/view',
    '/employee/update',
  ]) {
    await page.goto(address)
    await waitUntilSettled(page)
    await expectAccessible(page)
    await page.setViewportSize(PHONE_SIZE)
    await waitUntilSettled(page)
    expect(await measureOverflow(page), address).toBeLessThanOrEqual(0)
    await page.setViewportSize({ width: 1440, height: 900 })
  }
  await page.goto('/employee/beta')
  await expect(page).toHaveURL(/\/employee$/)
})
