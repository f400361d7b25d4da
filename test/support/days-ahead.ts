import { promises } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

/**
 * `DAYS_AHEAD=400 vitest run …` runs the tests as if that many days had passed, to make tests that depend on a fixed
 * date fail early. The whole process uses that time, and so does SQL (`createDatabase`).
 */
const days = Number(process.env.DAYS_AHEAD ?? 0)
const MARK = Symbol.for('days-ahead')
const world = globalThis as { [MARK]?: true }

if (days && !world[MARK]) {
  world[MARK] = true
  const ahead = days * 86_400_000
  const Real = Date
  class Later extends Real {
    constructor(...given: readonly unknown[]) {
      super(...((given.length ? given : [Real.now() + ahead]) as [number]))
    }
    static override now(): number {
      return Real.now() + ahead
    }
  }
  globalThis.Date = Later as DateConstructor
  const { instant, timeZoneId } = Temporal.Now
  const later = () => instant().add({ milliseconds: ahead })
  const there = (zone?: Temporal.TimeZoneLike) => later().toZonedDateTimeISO(zone ?? timeZoneId())
  Object.assign(Temporal.Now, {
    instant: later,
    zonedDateTimeISO: there,
    plainDateTimeISO: (zone?: Temporal.TimeZoneLike) => there(zone).toPlainDateTime(),
    plainDateISO: (zone?: Temporal.TimeZoneLike) => there(zone).toPlainDate(),
    plainTimeISO: (zone?: Temporal.TimeZoneLike) => there(zone).toPlainTime(),
  })
  // File times are moved forward too, so that the age of files does not change.
  const { stat } = promises
  const statLater = async (...asked: Parameters<typeof stat>) => {
    const found = await stat(...asked)
    if (typeof found?.mtimeMs === 'number') found.mtimeMs += ahead
    return found
  }
  Object.assign(promises, { stat: statLater })
  syncBuiltinESMExports()
}
