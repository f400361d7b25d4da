import { expect } from '@playwright/test'
import type { ReadingProof } from '#modules/documents/signing/reading-questions.ts'
import { expectAccessible } from '../support/accessibility.ts'
import { createApiSender, signInToApi } from '../support/api.ts'
import { PHONE_OPTIONS, signIn, test, waitUntilSettled } from '../support/journey.ts'
import { signOpenDialog } from '../support/signing.ts'

test('a worker who is asked for proof of reading answers questions on a phone before signing', async ({
  page,
  elsewhere,
}) => {
  const send = await createApiSender(page, 'admin.brick')
  const { 'hydra:member': all } = await send(
    'get',
    '/api/safety/risk_assessments?current=true&retired=false&isTemplate=false',
  )
  const on: { id: number; documentNumber: string; description: string } = all[0]
  const path = `/safety/risk-assessment/view/${on.id}`
  await signIn(page, 'admin.brick', path)
  await page.getByRole('button', { name: 'Request signatures' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('checkbox', { name: 'Callum Fraser' }).check()
  await dialog.getByRole('checkbox', { name: 'Proof of reading' }).check()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: /^Send/ }).click()
  await expect(dialog).toBeHidden()

  const phone = await elsewhere(PHONE_OPTIONS)
  await signIn(phone, 'worker.brick', path)
  await expect(phone.getByRole('heading', { level: 1 })).toHaveText(on.description)
  const section = phone.getByRole('region', { name: 'Sign', exact: true })
  await expect(section.getByRole('button', { name: 'Sign', exact: true })).toBeDisabled()
  await phone.getByText(new RegExp(`^End of ${on.documentNumber} revision`)).scrollIntoViewIfNeeded()
  await expect(section.getByText('Question 1 of 3')).toBeVisible()
  await waitUntilSettled(phone)
  await expectAccessible(phone)

  const worker = await signInToApi(phone, 'worker.brick')
  const answer = await phone.request.get(`/api/safety/documents/${on.id}/questions`, worker)
  const { questions } = (await answer.json()) as ReadingProof
  const [first] = questions
  const wrong = first?.options.find((_, n) => n !== first.right) ?? ''
  await section.getByRole('radio', { name: wrong, exact: true }).check()
  await section.getByRole('button', { name: 'Answer' }).tap()
  await expect(section.getByRole('alert')).toContainText('Read that part again')
  await expectAccessible(phone)
  await section.getByRole('button', { name: 'Show the place' }).tap()
  await expect(phone.locator(':focus')).toContainText(first?.topic ?? 'missing')
  for (const { options, right } of questions) {
    await section.getByRole('radio', { name: options[right] ?? '', exact: true }).check()
    await section.getByRole('button', { name: 'Answer' }).tap()
  }
  await expect(section.getByText('3 questions answered, 2 at the first attempt. You can sign now.')).toBeVisible()
  await section.getByRole('button', { name: 'Sign', exact: true }).tap()
  await signOpenDialog(phone)
  await expect(phone.getByText(/^You signed on/).first()).toBeVisible()

  await page.reload()
  await page.getByText('3 questions answered, 2 at the first attempt').click()
  await expect(page.getByRole('listitem').filter({ hasText: wrong }).first()).toBeVisible()
  await expectAccessible(page)
})
