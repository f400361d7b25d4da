import { expect, type Page } from '@playwright/test'
import { makePicture } from '../../support/uploads.ts'
import type { ApiRequestOptions } from './api.ts'

export const ADMIN = 'admin.brick'
export const APPROVER = 'approver.brick'
export const WORKER = 'worker.brick'
export const TALKS_PATH = '/safety/toolbox-talks'

export const statusBand = (page: Page) => page.getByRole('region', { name: 'Status and next step' })
export const makePng = (colour: string) => makePicture(300, 100, colour).png().toBuffer()

export async function downloadPdf(page: Page, asks: ApiRequestOptions, id: number): Promise<Buffer> {
  const pdf = await page.request.get(`/api/safety/toolbox_talks/${id}/pdf`, asks)
  expect(pdf.status()).toBe(200)
  return pdf.body()
}
