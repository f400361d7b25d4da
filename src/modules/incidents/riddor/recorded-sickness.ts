import type { AbsencePeriod } from './facts.ts'

/** Days after an accident within which a sickness absence must begin in order to be shown with it. */
const SICKNESS_AFTER_ACCIDENT_DAYS = 90

interface SicknessDays {
  readonly firstDay: string
  readonly lastDay: string | null
}

/** Returns the sickness that began on the day of the accident, or in the 90 days after it, as periods of absence. */
export function findSicknessAfterAccident(all: readonly SicknessDays[], accidentDay: string): AbsencePeriod[] {
  const last = Temporal.PlainDate.from(accidentDay).add({ days: SICKNESS_AFTER_ACCIDENT_DAYS }).toString()
  return all
    .filter(({ firstDay }) => firstDay >= accidentDay && firstDay <= last)
    .map(({ firstDay, lastDay }) => ({ from: firstDay, ...(lastDay ? { until: lastDay } : {}) }))
    .toSorted((a, b) => (a.from < b.from ? -1 : 1))
}

const isSame = (a: AbsencePeriod, b: AbsencePeriod) => a.from === b.from && a.until === b.until

/** Returns the periods of sickness that differ from the absences entered on an incident. */
export const findUnenteredSickness = (
  absences: readonly AbsencePeriod[] | null,
  sickness: readonly AbsencePeriod[],
): AbsencePeriod[] => sickness.filter((one) => !(absences ?? []).some((entered) => isSame(entered, one)))

const overlaps = (a: AbsencePeriod, b: AbsencePeriod) =>
  a.from <= (b.until ?? '9999-12-31') && b.from <= (a.until ?? '9999-12-31')

/** Returns the absences with a period of sickness, which replaces the absences that it overlaps. */
export const addSickness = (absences: readonly AbsencePeriod[] | null, sickness: AbsencePeriod): AbsencePeriod[] =>
  [...(absences ?? []).filter((one) => !overlaps(one, sickness)), sickness].toSorted((a, b) =>
    a.from < b.from ? -1 : 1,
  )
