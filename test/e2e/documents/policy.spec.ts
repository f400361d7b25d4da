import { expect } from '@playwright/test'
import { expectAccessible } from '../support/accessibility.ts'
import { signInToApi } from '../support/api.ts'
import { ASSESSMENT_AUTHOR_USERNAME, expectDraftSaved } from '../support/assessment.ts'
import { expectStatus, PHONE_OPTIONS, signIn, test } from '../support/journey.ts'
import { sealDraft, signAtDocumentEnd } from '../support/signing.ts'

const WORKER = 'worker.brick'
/** Maximum number of actions that the policy owner needs from one version in force to the next. */
const MAX_ACTIONS = 12

test('a materially changed policy is approved and then acknowledged again by everyone who acknowledged the previous version', async ({
  page,
  elsewhere,
}) => {
  await signIn(page, ASSESSMENT_AUTHOR_USERNAME, '/safety/policy/view')
  await page.waitForURL(/\/safety\/policy\/view\/\d+/)
  const document = `/api/safety/documents/${page.url().split('/').at(-1)}`
  const worker = await signInToApi(page, WORKER)
  const author = await signInToApi(page, ASSESSMENT_AUTHOR_USERNAME)
  const people = await (await page.request.get(`/api/safety/sign_offs/people?document=${document}`, author)).json()
  const { id } = people['hydra:member'].find((one: { username: string }) => one.username === WORKER)
  const asked = { document, people: [id], due: '2099-01-01' }
  expect((await page.request.post('/api/safety/sign_offs', { data: asked, ...author })).status()).toBe(201)
  const signed = await page.request.post('/api/safety/signatures', { data: { document, method: 'typed' }, ...worker })
  expect(signed.status()).toBe(201)

  let actions = 0
  const act = async (doing: Promise<unknown>) => {
    actions++
    await doing
  }
  await act(page.getByRole('button', { name: 'Revise', exact: true }).click())
  await act(page.getByRole('button', { name: 'Start revision' }).click())
  await page.waitForURL(/\/safety-policy\/update\/\d+/)
  await act(
    page
      .getByRole('navigation', { name: /^Steps in/ })
      .getByRole('button', { name: /Organisation/ })
      .click(),
  )
  await act(page.getByRole('button', { name: 'Edit Supervisor' }).click())
  const dialog = page.getByRole('dialog', { name: 'Edit function' })
  await act(dialog.getByLabel(/^Person/).fill('Ewa Kowalska'))
  await expectAccessible(page)
  await act(dialog.getByRole('button', { name: 'Save' }).click())
  await expectDraftSaved(page)
  await act(page.getByRole('button', { name: 'Complete', exact: true }).click())
  await expect(page.getByRole('radio', { name: /^Material/ })).toBeChecked()
  await expectAccessible(page)
  await act(sealDraft(page))
  await act(page.getByRole('button', { name: 'Accept', exact: true }).click())
  const accept = page.getByRole('dialog')
  await expect(accept).toContainText('The author marked this as a material change.')
  await act(accept.getByRole('button', { name: 'Accept', exact: true }).click())
  await expectStatus(page, 'and in force')
  expect(actions).toBeLessThanOrEqual(MAX_ACTIONS)

  const phone = await elsewhere(PHONE_OPTIONS)
  await signIn(phone, WORKER, '/safety/policy/view')
  const changed = phone.getByRole('region', { name: /^Changes since you signed/ })
  await expect(changed).toContainText(/Ewa.*Kowalska/)
  await expectAccessible(phone)
  await signAtDocumentEnd(phone)
})
