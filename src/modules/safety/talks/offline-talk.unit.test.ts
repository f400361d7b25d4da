import { expect, test } from 'vitest'
import type { QueuedRequest } from '#web/offline/requests.ts'
import {
  closingRequestIn,
  hasSignedOnDevice,
  isOutstandingOnDevice,
  requestsWithoutRow,
  talkRequestsIn,
  talkRowsOnDevice,
} from './offline-talk.web.ts'
import { type ListedAttendee, pinEntryFor } from './presented-data.web.ts'

const TALK = '/api/safety/toolbox_talk_presenteds/7'
const row = (id: number, name: string): ListedAttendee => ({
  '@id': `/api/safety/toolbox_talk_attendees/${id}`,
  '@type': 'ToolboxTalkAttendee',
  id,
  presented: TALK,
  position: id,
  name,
  method: null,
  user: null,
  employee: null,
  signer: null,
  byName: null,
  visitor: true,
  signedAt: null,
  drawnAt: null,
  absence: null,
  company: '',
  trade: '',
  late: false,
  byLink: false,
  pinCheck: null,
})
const queued = (key: string, path: string, more: Partial<QueuedRequest> = {}): QueuedRequest => ({
  key,
  owner: '1/1/',
  method: 'POST',
  path,
  body: {},
  what: key,
  about: ['parcel:talk'],
  givenAt: 0,
  ...more,
})
const start = queued('talk', '/api/safety/toolbox_talk_presenteds', { shared: true })
const names = queued('names', 'parcel:talk/people', {
  shared: true,
  body: { names: ['callum  FRASER', 'Vic'], listed: true },
})
const signed = queued('signed', 'parcel:talk/sign', {
  about: ['parcel:talk', 'parcel:names#attendees.1'],
  body: { attendee: 'parcel:names#attendees.1', company: 'Apex Access Ltd', trade: 'Scaffolder' },
})
const close = queued('close', 'parcel:talk', { method: 'PUT', body: { complete: true } })
const company = [{ id: 5, name: 'Callum Fraser' }]
const summary = (rows: ReturnType<typeof talkRowsOnDevice>) =>
  rows.map((one) => [one.name, one.user, one.visitor, one.company, hasSignedOnDevice(one), isOutstandingOnDevice(one)])

test('a talk started offline lists its queued names with their account or company, and shows who has signed on the device', () => {
  const found = talkRequestsIn([start, names, signed, queued('note', '/api/x', { about: [] })], 'parcel:talk')
  expect(summary(talkRowsOnDevice([], found, company))).toEqual([
    ['callum  FRASER', 5, false, '', false, true],
    ['Vic', null, true, 'Apex Access Ltd', true, false],
  ])
  expect(closingRequestIn(found)).toBeUndefined()
  expect(closingRequestIn(talkRequestsIn([start, close], 'parcel:talk'))).toBe(close)
})

test('once a queued name is delivered, its signature is shown in the server’s row, and the name is not listed twice', () => {
  const rows = [row(1, 'Callum Fraser'), row(2, 'Vic')]
  const delivered = [{ ...start, arrived: { '@id': TALK } }, { ...names, arrived: { attendees: rows } }, signed]
  const found = talkRequestsIn(delivered, TALK)
  expect(summary(talkRowsOnDevice(rows, found, company)).map(([name, , , , here]) => [name, here])).toEqual([
    ['Callum Fraser', false],
    ['Vic', true],
  ])
  // Until the list is loaded again, the delivered name stays in place.
  expect(talkRowsOnDevice(rows.slice(0, 1), found, company).map((one) => one['@id'])).toEqual(rows.map((r) => r['@id']))
})

test('a rejected name and its signature leave the attendance list and are listed with the reason', () => {
  const refused = { status: 409, why: 'This record is closed.' }
  const found = talkRequestsIn([start, { ...names, refused }, { ...signed, refused }, close], 'parcel:talk')
  expect(talkRowsOnDevice([], found, company)).toEqual([])
  expect(requestsWithoutRow(found).map(({ key }) => key)).toEqual(['talk', 'names', 'signed', 'close'])
})

test('a signing PIN is requested only if the company requires it, and only from people with an account who sign on this device', () => {
  const pins = { required: true, people: [5] }
  expect(pinEntryFor(pins, 'device', { user: 5 })).toBe('asked')
  expect(pinEntryFor(pins, 'device', { user: 6 })).toBe('not set')
  expect(pinEntryFor(pins, 'visitor', { user: null, '@id': row(1, 'Vic')['@id'] })).toBe('not needed')
  for (const method of ['own', 'behalf', undefined] as const)
    expect(pinEntryFor(pins, method, { user: 5 })).toBe('not needed')
  expect(pinEntryFor({ ...pins, required: false }, 'device', { user: 5 })).toBe('not needed')
  expect(pinEntryFor(undefined, 'device', { user: 5 })).toBe('not needed')
})

test('a signing PIN can be entered for a queued name, because the device does not know whether the name has an account', () => {
  const queuedName = { user: null, '@id': 'parcel:names#attendees.1' }
  expect(pinEntryFor({ required: true, people: [] }, 'visitor', queuedName)).toBe('optional')
  expect(pinEntryFor({ required: false, people: [] }, 'visitor', queuedName)).toBe('not needed')
})
