import { expect } from '@playwright/test'
import { expectAccessible } from '../support/accessibility.ts'
import { ASSESSMENT_AUTHOR_USERNAME } from '../support/assessment.ts'
import { PHONE_OPTIONS, signIn, test } from '../support/journey.ts'
import { readParts, sealDraft, signAtDocumentEnd } from '../support/signing.ts'

/** Method statement in the demo data for re-roofing Unit 4, Kelham Works. */
const STATEMENT = 'MS-0001'

/**
 * Maximum number of actions that a site manager needs, from a method statement in force to a pack that the main
 * contractor can read.
 */
const MAX_ACTIONS = 10

test('a method statement becomes a pack that is shared by link, in 10 actions', async ({ page, elsewhere }) => {
  let actions = 0
  const act = async (doing: Promise<unknown>) => {
    actions++
    await doing
  }
  await signIn(page, ASSESSMENT_AUTHOR_USERNAME, '/safety/method-statement?state=current')
  await page.getByRole('link', { name: STATEMENT }).first().click()

  await act(page.getByRole('link', { name: 'RAMS pack from this method statement' }).click())
  await act(page.getByRole('button', { name: 'Start' }).click())
  await page.waitForURL(/\/rams\/update\/\d+/)
  // The pack contains the details of the job and its documents.
  await expect(page.getByLabel(/^Location/)).toHaveValue('Kelham Works, Sheffield')
  await act(page.getByRole('button', { name: 'Complete', exact: true }).click())
  await expect(page.getByRole('region', { name: 'Content to be sealed' })).toContainText('2 documents')
  await act(sealDraft(page))
  await act(page.getByRole('button', { name: 'Approve', exact: true }).click())
  await act(page.getByRole('dialog').getByRole('button', { name: 'Approve', exact: true }).click())

  await test.step('a worker reads the whole pack on a phone, and only then can sign it', async () => {
    await expect(page.getByText('In force', { exact: false }).first()).toBeVisible()
    const phone = await elsewhere(PHONE_OPTIONS)
    await signIn(phone, 'worker.brick', new URL(page.url()).pathname)
    const sign = phone.getByRole('button', { name: 'Sign', exact: true })
    await expect(sign).toBeDisabled()
    await expect(phone.getByText(/before you sign: \d to go/)).toBeVisible()
    await readParts(phone)
    await expect(phone.getByText(/before you sign/)).toHaveCount(0)
    expect(await phone.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
    await expectAccessible(phone)
    await phone.reload()
    await signAtDocumentEnd(phone)
    const signatures = phone.getByRole('region', { name: 'Signatures (1)' })
    await signatures.getByText(/^Opened \d documents, /).tap()
    await expect(signatures.getByText(/^MS-0001 revision \d: \d+ seconds?$/)).toBeVisible()
  })

  await act(page.getByRole('button', { name: 'Create link' }).click())
  await act(page.getByLabel('Recipient').fill('Northern Build plc'))
  await act(page.getByRole('dialog').getByRole('button', { name: 'Create link' }).click())
  const link = page.getByRole('dialog').getByLabel('Link', { exact: true })
  await expect(link).toHaveValue(/\/pack\//)
  await expectAccessible(page)
  expect(actions).toBeLessThanOrEqual(MAX_ACTIONS)
  const { pathname } = new URL(await link.inputValue())
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click()

  const contractor = await elsewhere(PHONE_OPTIONS)
  await contractor.goto(pathname)
  await expect(contractor.getByRole('heading', { name: /Re-roofing Unit 4/ })).toBeVisible()
  await expect(contractor.getByRole('listitem')).toHaveCount(2)
  await expectAccessible(contractor)
  const file = contractor.getByRole('link', { name: 'Open pack' })
  expect((await contractor.request.get((await file.getAttribute('href')) ?? '')).headers()['content-type']).toBe(
    'application/pdf',
  )

  await page.getByRole('button', { name: 'Withdraw the link for Northern Build plc' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Withdraw link' }).click()
  await expect(page.getByText(/^Withdrawn/)).toBeVisible()
  await contractor.reload()
  await expect(contractor.getByRole('heading', { name: 'This pack is no longer available' })).toBeVisible()
})
