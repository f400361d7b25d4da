import { expect } from '@playwright/test'
import { expectAccessible } from '../support/accessibility.ts'
import { ASSESSMENT_AUTHOR_USERNAME } from '../support/assessment.ts'
import { PHONE_OPTIONS, signIn, test } from '../support/journey.ts'
import type { SentEmail } from '../support/letters.ts'
import { readParts, sealDraft, signAtDocumentEnd } from '../support/signing.ts'

/** Method statement in the demo data for re-roofing Unit 4, Kelham Works. */
const STATEMENT = 'MS-0001'

/**
 * Maximum number of actions that a site manager needs, from a method statement in force to a pack that the main
 * contractor can read.
 */
const MAX_ACTIONS = 10

test('a method statement becomes a pack that is e-mailed to the main contractor, and accepted there', async ({
  page,
  elsewhere,
  portal,
}) => {
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

  await act(page.getByRole('button', { name: 'E-mail it' }).click())
  const dialog = page.getByRole('dialog')
  await act(dialog.getByLabel('Name', { exact: true }).fill('Ann Carter'))
  await act(dialog.getByLabel('E-mail', { exact: true }).fill('ann@northern.example'))
  await dialog.getByLabel('Company', { exact: true }).fill('Northern Build plc')
  await expect(dialog.getByRole('region', { name: 'Preview of the e-mail' })).toContainText('Dear Ann Carter,')
  await expectAccessible(page)
  await act(dialog.getByRole('button', { name: 'Send', exact: true }).click())
  expect(actions).toBeLessThanOrEqual(MAX_ACTIONS)
  const shared = page.getByRole('region', { name: 'Shared with' })
  await expect(shared.getByText('Sent to ann@northern.example')).toBeVisible()
  await expect(shared.getByText(/Not opened yet/)).toBeVisible()

  await expect.poll(() => portal.letters.map(({ to }) => to)).toContain('ann@northern.example')
  const contractor = await elsewhere(PHONE_OPTIONS)
  await test.step('the main contractor reads the pack on a phone by the link in the e-mail, and accepts it', async () => {
    await contractor.goto(findLink(portal.letters, 'ann@northern.example'))
    await expect(contractor.getByRole('heading', { level: 1, name: /Re-roofing Unit 4/ })).toBeVisible()
    const answer = contractor.getByRole('region', { name: 'Accept or reject' })
    await expect(answer.getByRole('radio', { name: 'Accept', exact: true })).toBeDisabled()
    await expectAccessible(contractor)
    await readParts(contractor)
    await expect(contractor.getByText(/before you accept/)).toHaveCount(0)
    expect(await contractor.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
    await answer.getByRole('radio', { name: 'Accept with comments' }).tap()
    await expect(answer.getByLabel(/^Your name/)).toHaveValue('Ann Carter')
    await answer.getByLabel(/^Position/).fill('Site manager')
    await answer.getByRole('button', { name: 'Send answer' }).tap()
    await expect(answer.getByText('Please enter your comments')).toBeVisible()
    await answer.getByLabel(/^Comment/).fill('Please add the rescue plan before you start.')
    await answer.getByRole('button', { name: 'Send answer' }).tap()
    await expect(contractor.getByRole('region', { name: 'Your answer' })).toContainText('Accepted with comments')
    await expectAccessible(contractor)
    const file = contractor.getByRole('link', { name: 'Open pack' })
    expect((await contractor.request.get((await file.getAttribute('href')) ?? '')).headers()['content-type']).toBe(
      'application/pdf',
    )
  })

  await page.reload()
  await expect(shared.getByText('Accepted with comments')).toBeVisible()
  await expect(shared.getByText('“Please add the rescue plan before you start.”')).toBeVisible()
  await expect(shared.getByText(/^Ann Carter, Site manager, Northern Build plc\. Revision 1/)).toBeVisible()
  // Openings from one network within minutes count once, so the page and its PDF are one opening.
  await expect(shared.getByText(/Times opened: 1,/)).toBeVisible()

  await page.getByRole('button', { name: 'Withdraw the link for Ann Carter, Northern Build plc' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Withdraw link' }).click()
  await expect(page.getByText(/^Withdrawn/)).toBeVisible()
  await contractor.reload()
  await expect(contractor.getByRole('heading', { name: 'This pack is no longer available' })).toBeVisible()
})

/** Returns the path of the link in the latest e-mail to an address. */
function findLink(letters: readonly SentEmail[], to: string): string {
  const link = /https?:\/\/\S+\/pack\/\S+/.exec(letters.findLast((one) => one.to === to)?.text ?? '')?.[0]
  if (!link) throw new Error(`There is no e-mail with a link to ${to}`)
  return new URL(link).pathname
}
