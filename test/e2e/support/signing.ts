import { expect, type Locator, type Page } from '@playwright/test'
import { waitUntilSettled } from './journey.ts'

/** Draws in the empty signature box, by default that of the open dialog. */
export async function drawSignature(page: Page, within: Page | Locator = page.getByRole('dialog')): Promise<void> {
  const pad = within.getByLabel('Signature box, empty')
  // Centred, because the buttons of a dialog cover its lower edge.
  await pad.evaluate((element) => element.scrollIntoView({ block: 'center' }))
  const box = await pad.boundingBox()
  if (!box) throw new Error('There is no box to sign in')
  await page.mouse.move(box.x + 30, box.y + 60)
  await page.mouse.down()
  for (const x of [60, 100, 140, 200]) await page.mouse.move(box.x + x, box.y + 30 + (x % 50))
  await page.mouse.up()
}

/** Signs by touch in the open dialog. */
export async function signOpenDialog(page: Page, button = 'Sign'): Promise<void> {
  await drawSignature(page)
  await page.getByRole('dialog').getByRole('button', { name: button, exact: true }).tap()
}

/** Opens everything that a document refers to, and scrolls each to its end. */
export async function readParts(page: Page): Promise<void> {
  const section = page.getByRole('region', { name: /^Documents (in this pack|to read with this one)$/ })
  await section.getByRole('button', { name: /^Open (the whole pack|all documents)$/ }).tap()
  const ends = section.getByText(/^End of /)
  const parts = await section
    .getByRole('listitem')
    .filter({ has: page.getByRole('heading', { level: 3 }) })
    .count()
  await expect(ends).toHaveCount(parts)
  for (let n = 0; n < parts; n++) {
    await ends.nth(n).scrollIntoViewIfNeeded()
    await expect(section.getByText('Read to the end', { exact: true })).toHaveCount(n + 1)
  }
}

/** Signs by touch at the end of the document, the only place that has the button. Reads everything else first. */
export async function signAtDocumentEnd(page: Page): Promise<void> {
  const sign = page
    .getByRole('region', { name: 'Sign', exact: true })
    .getByRole('button', { name: 'Sign', exact: true })
  await expect(sign).toBeVisible()
  if (await page.getByText(/^Read every document to the end before you sign/).isVisible()) await readParts(page)
  await sign.tap()
  await signOpenDialog(page)
  await expect(page.getByRole('region', { name: 'Signed', exact: true })).toContainText('You signed on')
  // The page shows the signature before the server has answered.
  await waitUntilSettled(page)
}

/** Seals a draft on its check page, with one surplus click, and waits for the document page. */
export async function sealDraft(page: Page): Promise<void> {
  await page.waitForURL(/\/check$/)
  await page.getByRole('button', { name: 'Complete and seal' }).dblclick()
  await page.waitForURL(/\/view\/\d+/)
  await expect(page.getByText(/is complete and sealed/)).toBeVisible()
  await expect(page.getByText(/Somebody else has changed/)).toHaveCount(0)
}
