import { expect, type Page } from '@playwright/test'
import { expectAccessible } from '../support/accessibility.ts'
import { signInToApi } from '../support/api.ts'
import { PHONE_OPTIONS, signIn, test, waitUntilSettled } from '../support/journey.ts'

const api = async (page: Page, method: 'post' | 'get', url: string, data?: object) => {
  const options = { ...(await signInToApi(page, 'manager')), ...(data ? { data } : {}) }
  const answer = await page.context().request[method](url, options)
  expect(answer.ok(), await answer.text()).toBe(true)
  return answer.json()
}
const lead = (page: Page, values: object) => api(page, 'post', '/api/crm/contacts', values)

test('two leads are merged and separated by keyboard, and marking one lead “do not call” also blocks calls to another with the same number', async ({
  page,
  elsewhere,
}) => {
  await signIn(page, 'manager', '/')
  const [source] = (await api(page, 'get', '/api/crm/came_froms'))['hydra:member']
  const kept = await lead(page, {
    companyName: 'Quillfeather & Sons Ltd',
    phone: '01632 960811',
    companyNumber: '09999811',
    cameFrom: source['@id'],
  })
  const gone = await lead(page, {
    companyName: 'Quillfeather and Sons',
    phone: '01632 960812',
    companyNumber: '09999812',
    city: 'Whitby',
  })
  await api(page, 'post', '/api/crm/actions', { contact: gone['@id'], notes: 'Rings back on Mondays' })

  await page.goto(`/crm/contact/view/${kept.id}`)
  await expect(page.getByRole('link', { name: 'Merge…' }).first()).toBeVisible()
  await page.keyboard.press('m')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(
    'Merge Quillfeather and Sons into Quillfeather & Sons Ltd',
  )
  await expect(page.getByRole('radio', { name: 'Whitby' })).toBeChecked()
  await expect(page.getByRole('radio', { name: source.name })).toBeChecked()
  await expect(page.getByRole('status').getByText('different company numbers')).toBeVisible()
  await waitUntilSettled(page)
  await expectAccessible(page)
  await page.getByRole('radio', { name: '01632 960811' }).focus()
  await page.keyboard.press('ArrowRight')
  await expect(page.getByRole('radio', { name: '01632 960812' })).toBeChecked()
  await page.getByRole('button', { name: 'Merge', exact: true }).press('Enter')
  await expect(page).toHaveURL(new RegExp(`/crm/contact/view/${kept.id}$`))
  await expect(page.getByText('Rings back on Mondays')).toBeVisible()

  // The merged lead's URL redirects to the surviving lead, even on a phone.
  const phone = await elsewhere(PHONE_OPTIONS)
  await signIn(phone, 'manager', `/crm/contact/view/${gone.id}`)
  await expect(phone.getByText('This lead has been merged into another')).toBeVisible()
  await expectAccessible(phone)
  await phone.goto(`/crm/merge/${kept.id}/${gone.id}`)
  await expect(phone.getByRole('alert')).toContainText('has already been merged into another lead')
  await waitUntilSettled(phone)
  await expectAccessible(phone)

  await page.getByRole('button', { name: 'Undo merge' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Undo merge' }).click()
  await expect(page.getByText('Rings back on Mondays')).toBeHidden()
  expect(await api(page, 'get', gone['@id'])).toMatchObject({ retired: false, mergedInto: null, city: 'Whitby' })

  const other = await lead(page, { companyName: 'Ormsby Slates', mobile: '+44 (0)1632 960811' })
  await page.goto(`/crm/contact/view/${kept.id}`)
  await page.getByRole('switch', { name: 'Do not call' }).press('Space')
  await expect(page.getByText('The number is blocked.')).toBeVisible()
  await page.goto(`/crm/contact/view/${other.id}`)
  await expect(page.getByRole('button', { name: 'Do not call' })).toBeDisabled()
  await expect(page.getByText('The number is blocked.')).toBeVisible()

  for (const at of [page, phone]) {
    await at.goto('/crm/do-not-call')
    await expect(at.getByText('01632 960811')).toBeVisible()
    await waitUntilSettled(at)
    await expectAccessible(at)
    await at.goto('/crm/duplicates')
    await waitUntilSettled(at)
    await expectAccessible(at)
  }
})
