import { readFileSync } from 'node:fs'
import { expect } from '@playwright/test'
import { expectAccessible } from '../support/accessibility.ts'
import { createApiSender } from '../support/api.ts'
import { PHONE_OPTIONS, signIn, test } from '../support/journey.ts'

const REPORTS = '/api/safety/incident_reports'
const LOOKUP = '/api/safety/incident'
const INJURED_PARTY = {
  recordType: 'IP',
  name: 'Ann Carter',
  jobClass: `${LOOKUP}_jobclasses/1`,
  payroll: 'P-12',
  jobTitle: 'Roofer',
  sex: 2,
  address1: '1 High Street',
  city: 'Leeds',
  county: 'West Yorkshire',
  postcode: 'LS1 4AP',
  telephone: '01632 960001',
  incidentType: `${LOOKUP}_types/5`,
  mainFactor: `${LOOKUP}_mainfactors/1`,
  injurySustained: `${LOOKUP}_injury_sustaineds/1`,
  severity: `${LOOKUP}_severities/7`,
  injuryEffect: [4],
  bodyPart: `${LOOKUP}_bodyparts/13`,
  description: 'Cut hand',
}
/** Month for which the demo data has no incidents. */
const MONTH = '2026-02'
const ADDRESS = `/sfp/analysis?months=${MONTH}..${MONTH}`

test('a figure in the analysis opens its incidents, the CSV has the same figures, and a phone shows the body map', async ({
  page,
  elsewhere,
}) => {
  const send = await createApiSender(page, 'admin.brick')
  const made = await send('post', REPORTS, {
    state: 'reported',
    description: 'Cut a hand on a tile',
    datetime: `${MONTH}-12T10:00:00Z`,
    internalLocation: 'Roof',
    incidentType: `${LOOKUP}_categories/12`,
    personnel: [INJURED_PARTY],
  })
  await send('post', REPORTS, {
    state: 'reported',
    nearMiss: true,
    description: 'A tile fell beside the path',
    datetime: `${MONTH}-13T10:00:00Z`,
    internalLocation: 'Roof',
  })
  await send('post', '/api/safety/incident_workforce_months', { month: `${MONTH}-01`, hours: 4000, headcount: 25 })

  await signIn(page, 'admin.brick', ADDRESS)
  await expect(page.getByRole('link', { name: '2 Incidents', exact: true })).toBeVisible()
  await expect(page.getByText('4,000 hours worked. 25 employees on average.')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('link', { name: '1 Accidents' }).press('Enter')
  await expect(page.getByRole('heading', { name: 'Accident book' })).toBeVisible()
  await expect(page.getByRole('link', { name: made.number })).toBeVisible()
  await expect(page.getByText('1 of 1', { exact: true })).toBeVisible()
  await expectAccessible(page)
  await page.goBack()
  await page.getByRole('link', { name: 'Hand 1' }).press('Enter')
  await expect(page.getByRole('button', { name: 'Part of the body: Hand' })).toBeVisible()
  await expect(page.getByRole('link', { name: made.number })).toBeVisible()
  await page.goBack()
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download CSV' }).press('Enter')
  const csv = readFileSync(await (await download).path(), 'utf8')
  expect(csv).toContain('"Accidents","All","February 2026",1,')
  expect(csv).toContain('"Kind","Injury - Cut","February 2026",1,')

  const phone = await elsewhere({ ...PHONE_OPTIONS, colorScheme: 'dark' })
  await signIn(phone, 'admin.brick', ADDRESS)
  await expect(phone.getByRole('heading', { name: 'Incidents by part of the body' })).toBeVisible()
  await expectAccessible(phone)
})
