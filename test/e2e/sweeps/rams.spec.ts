import { expect, type Page } from '@playwright/test'
import { expectAccessible } from '../support/accessibility.ts'
import { makeTalk, signInToApi } from '../support/api.ts'
import { ASSESSMENT_AUTHOR_USERNAME } from '../support/assessment.ts'
import { PHONE_OPTIONS, signIn, test } from '../support/journey.ts'
import { sealDraft, signAtDocumentEnd } from '../support/signing.ts'

const asking =
  (page: Page, headers: Awaited<ReturnType<typeof signInToApi>>) =>
  async (url: string, data: object, put = false) => {
    const answer = await page.request[put ? 'put' : 'post'](url, { data, ...headers })
    expect([200, 201], await answer.text()).toContain(answer.status())
    return (await answer.json()) as { '@id': string; id: number }
  }
const documentOf = (id: number) => `/api/safety/documents/${id}`

test('only people affected by a changed document sign a reissued pack again, on a phone', async ({
  page,
  elsewhere,
}) => {
  test.slow()
  const job = `Gutters ${Date.now() % 10_000}`
  await signIn(page, ASSESSMENT_AUTHOR_USERNAME, '/dashboard')
  const author = await signInToApi(page, ASSESSMENT_AUTHOR_USERNAME)
  const send = asking(page, author)
  const everybodys = await makeTalk(page, author, `${job}: ladders`)
  const managers = await makeTalk(page, author, `${job}: budget`)
  await send(`/api/safety/toolbox_talks/${managers}`, { audience: ['ROLE_CLIENT_ADMIN', 'ROLE_SAFETY_ADMIN'] }, true)
  const paper = (id: number) => ({ target: documentOf(id), notes: '' })
  const pack = await send('/api/safety/rams_packs', {
    description: job,
    location: 'Yard',
    supervisor: 'Ann',
    papers: [paper(everybodys), paper(managers)],
    complete: true,
    approved: true,
  })
  const people = await page.request.get('/api/safety/sign_offs/people', author)
  const callum = ((await people.json()) as { 'hydra:member': { id: number; name: string }[] })['hydra:member'].find(
    ({ name }) => name === 'Callum Fraser',
  )
  await send('/api/safety/sign_offs', { document: documentOf(pack.id), people: [callum?.id], due: '2099-01-01' })

  const phone = await elsewhere(PHONE_OPTIONS)
  await signIn(phone, 'worker.brick', `/safety/rams/view/${pack.id}`)
  await signAtDocumentEnd(phone)

  /** Revises a talk and replaces it in the pack. Returns the pack's draft and the ID of the talk's new revision. */
  const replaced = async (talk: number, from: number) => {
    const next = await send(`/api/safety/toolbox_talks/${talk}/revise`, {})
    await send(next['@id'], { points: [{ text: 'Look up before you lift.' }, { text: 'Tie the ladder.' }] }, true)
    await send(`${next['@id']}/complete`, {})
    await send(`${next['@id']}/approve`, {})
    const draft = await send(`/api/safety/rams_packs/${from}/revise`, {})
    await send(`${documentOf(draft.id)}/take_newer`, {})
    return { draft, talk: next.id }
  }

  const first = await replaced(managers, pack.id)
  await page.goto(`/safety/rams/update/${first.draft.id}/check`)
  const changed = page.getByRole('region', { name: 'Changes', exact: true })
  await changed.getByText(/^Changes since revision 1 \(/).click()
  await expect(changed).toContainText(`${job}: budget`)
  await expect(changed).not.toContainText(`${job}: ladders`)
  await changed.getByText(/^Changes in /).click()
  await expect(changed).toContainText('Tie the ladder.')
  await expectAccessible(page)
  await sealDraft(page)
  await page.getByRole('button', { name: 'Approve', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Approve', exact: true }).click()
  const asked = page.getByRole('region', { name: 'Requested signatures' })
  await expect(asked).toContainText('1 of 1 signed')
  await expect(asked).toContainText('1 signed revision 1: nothing that concerns them has changed.')

  await phone.goto(`/safety/rams/view/${first.draft.id}`)
  await expect(phone.getByRole('region', { name: 'Signed previously' })).toContainText(
    'You signed revision 1. Nothing that concerns you has changed since.',
  )
  await expect(phone.getByRole('region', { name: /^Signatures/ })).toContainText(
    'Signed revision 1, carried forward to 2 (nothing that concerns them has changed)',
  )
  await expectAccessible(phone)

  const second = await replaced(everybodys, first.draft.id)
  await send(`/api/safety/rams_packs/${second.draft.id}/complete`, {})
  await send(`/api/safety/rams_packs/${second.draft.id}/approve`, {})
  await phone.goto(`/safety/rams/view/${second.draft.id}`)
  const since = phone.getByRole('region', { name: 'Changes since you signed revision 1' })
  await since.getByText(new RegExp(`^Changes in .*${job}: ladders`)).tap()
  await expect(since).toContainText('Tie the ladder.')
  await expect(since.getByText(/^Changes in /)).toHaveCount(1)
  expect(await phone.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  await expectAccessible(phone)
  await signAtDocumentEnd(phone)
})
