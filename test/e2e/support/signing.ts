import { expect, type Page } from '@playwright/test'

export async function drawSignature(page: Page): Promise<void> {
  const box = await page.getByRole('dialog').getByLabel('Signature box, empty').boundingBox()
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

/** Signs by touch at the end of the document, the only place that has the button. */
export async function signAtDocumentEnd(page: Page): Promise<void> {
  await page.getByRole('region', { name: 'Sign', exact: true }).getByRole('button', { name: 'Sign' }).tap()
  await signOpenDialog(page)
  await expect(page.getByRole('region', { name: 'Signed', exact: true })).toContainText('You signed on')
}

/** Seals a draft on its check page, with one surplus click, and waits for the document page. */
export async function sealDraft(page: Page): Promise<void> {
  await page.waitForURL(/\/check$/)
  await page.getByRole('button', { name: 'Complete and seal' }).dblclick()
  await page.waitForURL(/\/view\/\d+/)
  await expect(page.getByText(/is complete and sealed/)).toBeVisible()
  await expect(page.getByText(/Somebody else has changed/)).toHaveCount(0)
}
