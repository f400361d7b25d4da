import fc from 'fast-check'
import { expect, test } from 'vitest'
import { londonDate } from '#kernel/time.ts'
import { bannerStatus, isBannerVisibleTo } from './banner.ts'

const at = (iso: string) => Temporal.Instant.from(iso)
const banner = { shown: true, audience: 'everybody', from: '2026-10-25', until: '2026-10-25' }

test('a banner is shown on the days set for it in London time, regardless of time zones and clock changes', () => {
  // The clocks go back on 25 October 2026, so that day has 25 hours.
  expect(isBannerVisibleTo(banner, 1, at('2026-10-24T22:59:59Z'))).toBe(false)
  expect(isBannerVisibleTo(banner, 1, at('2026-10-24T23:00:00Z'))).toBe(true)
  expect(isBannerVisibleTo(banner, 1, at('2026-10-25T23:59:59Z'))).toBe(true)
  expect(isBannerVisibleTo(banner, 1, at('2026-10-26T00:00:00Z'))).toBe(false)
})

test('an enabled banner is shown only to its audience', () => {
  const day = fc.option(
    fc.integer({ min: 0, max: 800 }).map((n) => Temporal.PlainDate.from('2026-01-01').add({ days: n }).toString()),
  )
  fc.assert(
    fc.property(
      fc.record({
        shown: fc.boolean(),
        audience: fc.constantFrom('everybody', 'clients', 'staff'),
        from: day,
        until: day,
      }),
      fc.integer({ min: 0, max: 3 }),
      fc.integer({ min: 0, max: 800 * 24 * 60 }),
      (b, client, minutes) => {
        const now = at('2026-01-01T00:00:00Z').add({ minutes })
        const today = londonDate(now).toString()
        const isOn = b.shown && (b.from === null || b.from <= today) && (b.until === null || b.until >= today)
        expect(bannerStatus(b, now) === 'shown').toBe(isOn)
        const isFor = { everybody: true, clients: client !== 0, staff: client === 0 }[b.audience]
        expect(isBannerVisibleTo(b, client, now)).toBe(isOn && isFor)
      },
    ),
  )
})
