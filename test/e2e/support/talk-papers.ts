import { expect, type Page } from '@playwright/test'
import { makePicture } from '../../support/uploads.ts'
import type { ApiRequestOptions } from './api.ts'

export const TALK_ADMIN_USERNAME = 'admin.brick'
export const TALK_APPROVER_USERNAME = 'approver.brick'
export const TALK_WORKER_USERNAME = 'worker.brick'
export const TALKS_PATH = '/safety/toolbox-talks'

export const makeColouredPng = (colour: string) => makePicture(300, 100, colour).png().toBuffer()

export async function downloadPdf(page: Page, asks: ApiRequestOptions, id: number): Promise<Buffer> {
  const pdf = await page.request.get(`/api/safety/toolbox_talks/${id}/pdf`, asks)
  expect(pdf.status()).toBe(200)
  return pdf.body()
}
