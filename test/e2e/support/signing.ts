import { expect, type Page } from '@playwright/test'

/** Draws something that stands for a name into the box of the dialog that is open. */
export async function draw(page: Page): Promise<void> {
  const box = await page.getByRole('dialog').getByLabel('Box for your signature, empty').boundingBox()
  if (!box) throw new Error('There is no box to sign in')
  await page.mouse.move(box.x + 30, box.y + 60)
  await page.mouse.down()
  for (const x of [60, 100, 140, 200]) await page.mouse.move(box.x + x, box.y + 30 + (x % 50))
  await page.mouse.up()
}

/** Signs by finger in the dialog that is open. */
export async function signInDialog(page: Page, button = 'Sign'): Promise<void> {
  await draw(page)
  await page.getByRole('dialog').getByRole('button', { name: button, exact: true }).tap()
}

/** Signs by finger, as somebody does who has come to the end of the paper: there stands the button, and nowhere before. */
export async function signAtTheEnd(page: Page): Promise<void> {
  await page.getByRole('region', { name: 'Sign', exact: true }).getByRole('button', { name: 'Sign' }).tap()
  await signInDialog(page)
  await expect(page.getByRole('region', { name: 'Signed', exact: true })).toContainText('You signed on')
}

/** On the page that looks at a draft once more: seals it, by a click too many, and arrives where it is read. */
export async function seal(page: Page): Promise<void> {
  await page.waitForURL(/\/check$/)
  await page.getByRole('button', { name: 'Complete and seal' }).dblclick()
  await page.waitForURL(/\/view\/\d+/)
  await expect(page.getByText(/is complete and sealed/)).toBeVisible()
  await expect(page.getByText(/Somebody else has changed/)).toHaveCount(0)
}
