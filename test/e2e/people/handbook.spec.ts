import { expect } from '@playwright/test'
import { expectAccessible } from '../support/accessibility.ts'
import { createApiSender } from '../support/api.ts'
import { PHONE_OPTIONS, signIn, test, waitUntilSettled } from '../support/journey.ts'
import { signAtDocumentEnd } from '../support/signing.ts'

test.use({ ownPortal: {} })

const HANDBOOKS = '/api/employees/handbooks'
const NIGHT_WORK = {
  title: 'Night work',
  text: '<p>Night shifts are voluntary, and end with a rest of eleven hours.</p>',
}

interface Handbook {
  readonly '@id': string
  readonly chapters: readonly object[]
}

test('a worker signs the handbook on a phone, sees what has changed in the next revision, and signs again', async ({
  page,
  elsewhere,
}) => {
  test.slow()
  const phone = await elsewhere(PHONE_OPTIONS)
  await signIn(phone, 'worker.brick', '/my-task')
  const task = phone.getByRole('region', { name: 'To sign' }).getByRole('link', { name: /Employee handbook/ })
  await task.tap()
  const text = phone.getByRole('article')
  await expect(text.getByRole('heading', { name: '5. Mobile phones' })).toBeVisible()
  await expect(text).toContainText('A new chapter about mobile phones.')
  await expectAccessible(phone)
  await signAtDocumentEnd(phone)

  await test.step('human resources bring a material change into force', async () => {
    const send = await createApiSender(page, 'admin.brick')
    const { 'hydra:member': current } = (await send('get', `${HANDBOOKS}?current=true`)) as {
      'hydra:member': Handbook[]
    }
    const draft = (await send('post', `${current[0]?.['@id']}/revise`, {
      reason: 'A chapter about night work.',
    })) as Handbook
    await send('put', draft['@id'], { chapters: [...draft.chapters, NIGHT_WORK] })
    await send('post', `${draft['@id']}/complete`, { change: 'material' })
    await send('post', `${draft['@id']}/approve`, {})
  })

  await test.step('the worker reads the changes and signs again', async () => {
    await phone.goto('/my-task')
    await expect(task).toContainText('changed since you signed revision 2')
    await task.tap()
    const changed = phone.getByRole('region', { name: 'Changes since you signed revision 2' })
    await expect(changed).toContainText('A chapter about night work.')
    await expect(changed).toContainText('Night work')
    await expect(changed).not.toContainText('hands-free')
    await expectAccessible(phone)
    await changed.getByRole('button', { name: /^View the whole/ }).tap()
    await expect(text).toContainText('Night shifts are voluntary')
    await signAtDocumentEnd(phone)
    await phone.goto('/my-task')
    await waitUntilSettled(phone)
    await expect(task).toHaveCount(0)
  })

  await signIn(page, 'admin.brick', '/ffe/handbook')
  await page.getByRole('link', { name: 'HB-0001' }).first().click()
  await expect(page.getByRole('region', { name: 'Requested signatures' })).toContainText('1 of 4 signed')
  await expectAccessible(page)
  for (const path of ['/ffe/management-handbook', '/ffe/downloads', '/ffe/retired']) {
    await page.goto(path)
    await waitUntilSettled(page)
    await expectAccessible(page)
  }
})
