import { expect, type Page } from '@playwright/test'
import { expectAccessible } from './accessibility.ts'

export const IMPORT_PATH = '/crm/contact/import'

export async function expectAccessibleWithoutOverflow(page: Page) {
  await expectAccessible(page)
  const desk = page.viewportSize()
  await page.setViewportSize({ width: 390, height: 800 })
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  if (desk) await page.setViewportSize(desk)
}

/** Makes a CSV file of companies unique to this run, because the portal may still contain those of an earlier run. */
export const makeImportFile = (mark: string) => ({
  name: `${mark}.csv`,
  mimeType: 'text/csv',
  buffer: Buffer.from(
    [
      '\ufeffFirma;Telephone;E-mail',
      `${mark} Roofing;01632 1${mark.slice(-5)};`,
      `${mark} Scaffolding;;office@${mark}.example`,
      `${mark} Roofing again;+44 1632 1${mark.slice(-5)};`,
      `${mark} Glass;;not an address`,
      '',
    ].join('\r\n'),
  ),
})
export const makeUniqueMark = () => `x${String(Date.now()).slice(-9)}`
