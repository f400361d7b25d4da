import { expect, type Page } from '@playwright/test'
import { picture } from '../../support/uploads.ts'
import type { Asks } from './api.ts'

export const ADMIN = 'admin.brick'
export const APPROVER = 'approver.brick'
export const WORKER = 'worker.brick'
export const TALKS = '/safety/toolbox-talks'

export const band = (page: Page) => page.getByRole('region', { name: 'Status and next step' })
export const png = (colour: string) => picture(300, 100, colour).png().toBuffer()

export async function printed(page: Page, asks: Asks, id: number): Promise<Buffer> {
  const pdf = await page.request.get(`/api/safety/toolbox_talks/${id}/pdf`, asks)
  expect(pdf.status()).toBe(200)
  return pdf.body()
}
