import { expect, test } from 'vitest'
import { type FeedEvent, formatCalendar } from './ical.ts'

const at = Temporal.Instant.from('2026-06-01T10:20:30.123Z')
const event = (more: Partial<FeedEvent> = {}): FeedEvent => ({
  id: '1-2',
  title: 'Ann Carter: busy',
  isTentative: false,
  firstDay: '2026-06-01',
  lastDay: '2026-06-03',
  portion: 'day',
  from: null,
  until: null,
  ...more,
})

test('whole days end on the day after the last, and the stamp is in whole seconds', () => {
  const lines = formatCalendar([event()], at).split('\r\n')
  expect(lines).toContain('DTSTART;VALUE=DATE:20260601')
  expect(lines).toContain('DTEND;VALUE=DATE:20260604')
  expect(lines).toContain('DTSTAMP:20260601T102030Z')
  expect(lines.at(-1)).toBe('')
})

test('half a day and hours have times in London, also past midnight', () => {
  const times = (more: Partial<FeedEvent>) =>
    formatCalendar([event({ lastDay: '2026-06-01', ...more })], at)
      .split('\r\n')
      .filter((line) => line.startsWith('DTSTART') || line.startsWith('DTEND'))
      .map((line) => line.split(':')[1])
  expect(times({ portion: 'morning' })).toEqual(['20260601T000000', '20260601T120000'])
  expect(times({ portion: 'afternoon' })).toEqual(['20260601T120000', '20260602T000000'])
  expect(times({ portion: 'hours', from: '22:30', until: '02:00' })).toEqual(['20260601T223000', '20260602T020000'])
})

test('text is escaped, and no line is longer than 75 octets', () => {
  const text = formatCalendar([event({ title: `Zoë, “${'é'.repeat(60)}”; x\\y\nEND:VCALENDAR` })], at)
  for (const line of text.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75)
  const whole = text.replaceAll('\r\n ', '')
  expect(whole).toContain('SUMMARY:Zoë\\, “')
  expect(whole).toContain('”\\; x\\\\y\\nEND:VCALENDAR')
  expect(whole.match(/^END:VCALENDAR/gm)).toHaveLength(1)
})
