import { expect, type Page } from '@playwright/test'
import { expectAccessible } from '../support/accessibility.ts'
import { createApiSender } from '../support/api.ts'
import { PHONE_OPTIONS, signIn, test } from '../support/journey.ts'

const WORDS = 'I saw the ladder slip.'

/** Reports an incident with a witness, and returns the path of its editor. */
async function reportWithWitness(page: Page): Promise<string> {
  const send = await createApiSender(page, 'admin.brick')
  const { id } = await send('post', '/api/safety/incident_reports', {
    state: 'reported',
    description: 'Ladder slipped on a wet floor',
    datetime: new Date(Date.now() - 3_600_000).toISOString(),
    internalLocation: 'Bay 3',
    personnel: [{ recordType: 'WT', name: 'Sam Reed' }],
  })
  return `/safety/accident-book/update/${id}`
}

test('a witness gets a link by e-mail, writes on a phone without signal, and the office reads the statement', async ({
  page,
  elsewhere,
  portal,
}) => {
  const entry = await reportWithWitness(page)
  await signIn(page, 'admin.brick', entry)
  await page
    .getByRole('button', { name: /People/ })
    .first()
    .click()
  await page.getByRole('button', { name: 'Edit Sam Reed' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Next: Witness Statement' }).click()
  await dialog.getByLabel('E-mail address of the witness').fill('sam@reed.example.com')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Request a statement' }).click()
  await expect(dialog.getByText(/^Statement requested from Sam Reed on/)).toBeVisible()
  const letter = () => portal.letters.findLast(({ to }) => to === 'sam@reed.example.com')?.text ?? ''
  await expect.poll(letter, { timeout: 20_000 }).toContain('/witness-statement/')

  const phone = await elsewhere({ ...PHONE_OPTIONS, colorScheme: 'dark' })
  await phone.goto(/http:\S+\/witness-statement\/\S+/.exec(letter())?.[0] ?? '')
  await expect(phone.getByText('Bay 3')).toBeVisible()
  await expect(phone.getByText('Ladder slipped on a wet floor')).toHaveCount(0)
  const words = phone.getByLabel(/^What you saw and heard/)
  await words.fill(WORDS)
  await phone.context().setOffline(true)
  await phone.getByRole('button', { name: 'Send statement' }).click()
  await expect(phone.getByRole('alert').filter({ hasText: 'stays here until you close this tab' })).toBeVisible()
  await phone.context().setOffline(false)
  await phone.reload()
  await expect(words).toHaveValue(WORDS)
  await expectAccessible(phone)
  await phone.getByRole('button', { name: 'Send statement' }).click()
  await expect(phone.getByRole('heading', { name: 'Your statement has been received' })).toBeVisible()
  await phone.reload()
  await expect(phone.getByText(WORDS)).toBeVisible()
  await expect(words).toHaveCount(0)
  await expectAccessible(phone)

  await page.goto(entry)
  await page
    .getByRole('button', { name: /People/ })
    .first()
    .click()
  const row = page.getByRole('row').filter({ hasText: 'Sam Reed' })
  await expect(row).toContainText(WORDS)
  await expect(row).toContainText('Given by link')
  await expect(row).toContainText(/E-mail sent on .*\. Link opened on .*\. Statement received on/)
})
