import { expect, test } from 'vitest'
import { decisiveEmail, describeDelivery, type EmailDelivery } from './message.ts'

const email = (state: EmailDelivery['state'], error: string | null = null): EmailDelivery => ({
  '@id': '/api/email/messages/1',
  recipient: 'ann@acme.example',
  template: 'quote',
  state,
  error,
  createdAt: '2026-01-05T09:00:00+00:00',
})
const said = (...latestFirst: EmailDelivery[]) => {
  const decisive = decisiveEmail(latestFirst)
  return decisive && describeDelivery(decisive)
}

test('a record counts as sent if any of its e-mails was sent; otherwise the latest e-mail determines its status', () => {
  expect(said(email('sent'), email('failed', '550'))).toBe('Sent to ann@acme.example')
  expect(said(email('failed', '550'), email('sent'))).toBe('Sent to ann@acme.example')
  expect(said(email('waiting'), email('failed', '550'))).toBe('Being sent to ann@acme.example')
  expect(said(email('failed', '550'))).toContain('rejected ann@acme.example (550)')
  expect(said()).toBeUndefined()
})

test('only an e-mail that a mail server has accepted is described as sent', () => {
  const states: EmailDelivery['state'][] = ['waiting', 'sending', 'bounced', 'stopped', 'kept', 'failed']
  for (const state of states)
    expect([state, describeDelivery(email(state))]).not.toEqual([state, expect.stringMatching(/^Sent/)])
  expect(describeDelivery(email('kept'))).toBe(
    'Not sent: no mail server is set up. Download the PDF and send it yourself, or ask an administrator to set up a mail server.',
  )
  expect(describeDelivery(email('waiting', 'Connection refused'))).toContain('Connection refused')
})
