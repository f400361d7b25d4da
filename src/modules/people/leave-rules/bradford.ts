import { addDays, earlierDay, laterDay } from '#kernel/time.ts'
import { countDays } from './days.ts'

/** A spell of sickness. Without an end it lasts until today. */
export interface SicknessSpell {
  readonly from: string
  readonly until: string | null
  /** Related to a disability or pregnancy: such spells are not counted (Equality Act 2010 sections 15 and 18). */
  readonly protected: boolean
}

export interface BradfordScore {
  readonly spells: number
  readonly days: number
  readonly score: number
  readonly formula: string
}

const WEEKS = 52

/** Spells × spells × days in the 52 weeks up to a day. Adjoining spells are one. Days are calendar days. */
export function bradfordScore(all: readonly SicknessSpell[], today: string): BradfordScore {
  const since = addDays(today, 1 - WEEKS * 7)
  const counted = all
    .filter((spell) => !spell.protected)
    .map(({ from, until }) => ({
      from: laterDay(from, since),
      until: until && until < today ? until : today,
    }))
    .filter(({ from, until }) => from <= until)
    .sort((a, b) => (a.from < b.from ? -1 : 1))
  const merged: { from: string; until: string }[] = []
  for (const spell of counted) {
    const last = merged.at(-1)
    if (last && spell.from <= addDays(last.until, 1)) last.until = laterDay(spell.until, last.until)
    else merged.push({ ...spell })
  }
  const days = merged.reduce((sum, { from, until }) => sum + countDays(from, until), 0)
  const spells = merged.length
  return { spells, days, score: spells * spells * days, formula: `${spells} × ${spells} × ${days} days since ${since}` }
}

/** Calendar days of sickness in a period, up to today. */
export const daysOfSickness = (
  all: readonly SicknessSpell[],
  { from, until }: { readonly from: string; readonly until: string },
  today: string,
): number =>
  all.reduce(
    (sum, spell) =>
      sum + countDays(laterDay(spell.from, from), earlierDay(spell.until ?? today, earlierDay(until, today))),
    0,
  )
