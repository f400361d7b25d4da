import { expect, test } from 'vitest'
import type { QuoteRecord } from './data.web.ts'
import { describeQuoteDelivery, type QuoteMailStatus } from './letters.web.ts'

const quote = { emailTo: 'ann@acme.example', sentAt: '2026-01-05T09:00:00+00:00' } as QuoteRecord
const letter = (state: QuoteMailStatus['state'], error: string | null = null): QuoteMailStatus => ({
  '@id': '/api/email/messages/1',
  recipient: 'ann@acme.example',
  template: 'quote',
  state,
  error,
  createdAt: '2026-01-05T09:00:00+00:00',
})

test('a quote counts as sent if any of its e-mails was sent; otherwise the latest e-mail determines its status', () => {
  const said = (...latestFirst: QuoteMailStatus[]) => describeQuoteDelivery(quote, latestFirst)
  expect(said(letter('sent'), letter('failed', '550'))).toBe('sent to ann@acme.example')
  expect(said(letter('failed', '550'), letter('sent'))).toBe('sent to ann@acme.example')
  expect(said(letter('waiting'), letter('failed', '550'))).toBe('being sent to ann@acme.example')
  expect(said(letter('failed', '550'))).toContain('rejected ann@acme.example (550)')
  expect(said(letter('kept'))).toContain('no mail server is configured')
})
