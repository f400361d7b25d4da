import { formatIsoDateAsUk } from '#kernel/time.ts'

/** Season of a talk: the talk's title in the provider's library, the months (1 to 12) and the reason. */
export interface TalkSeason {
  readonly title: string
  readonly months: readonly number[]
  readonly why: string
}

export interface PastTalkPresentation {
  readonly title: string
  /** Date in the format `2026-03-12`. */
  readonly date: string
}

interface Talk {
  readonly '@id': string
  readonly title: string
  readonly documentNumber: string
  readonly isTemplate: boolean
}

export interface SuggestedTalk extends Talk {
  /** Reason for the suggestion, in one or two sentences. */
  readonly why: string
}

interface Known {
  readonly today: Temporal.PlainDate
  readonly seasons: readonly TalkSeason[]
  readonly talks: readonly Talk[]
  /** All past presentations of talks. */
  readonly given: readonly PastTalkPresentation[]
  /** Titles of talks planned for this week or later. */
  readonly planned: readonly string[]
}

const MAX_SUGGESTIONS = 6
/**
 * Maximum number of seasonal suggestions. The other suggestions are talks that have not been presented for a long time.
 */
const MAX_SEASONAL_SUGGESTIONS = 4
/** Number of days after which a seasonal talk is suggested again. */
const FRESH = 60
/** Number of days after which any of the company's talks is suggested again. */
const LONG = 180

const keyOf = (title: string) => title.trim().toLowerCase()

/**
 * Suggests talks: first seasonal talks for this month that have not been presented for `FRESH` days, then the company's
 * own talks that have not been presented for `LONG` days. Within each group, the company's own talks come before the
 * provider's, and those least recently presented come first. Excludes talks that are already planned, and the
 * provider's talks if the company has a talk with the same title.
 */
export function suggestTalks({ today, seasons, talks, given, planned }: Known): SuggestedTalk[] {
  const last = new Map<string, string>()
  for (const { title, date } of given) {
    const key = keyOf(title)
    if (date > (last.get(key) ?? '')) last.set(key, date)
  }
  const taken = new Set(planned.map(keyOf))
  const own = new Set(talks.flatMap((t) => (t.isTemplate ? [] : [keyOf(t.title)])))
  const season = new Map(
    seasons.flatMap((s) => (s.months.includes(today.month) ? [[keyOf(s.title), s.why] as const] : [])),
  )
  const daysSince = (title: string) => {
    const day = last.get(keyOf(title))
    return day === undefined ? Number.POSITIVE_INFINITY : Temporal.PlainDate.from(day).until(today).days
  }
  const fitting = talks.flatMap((talk) => {
    const key = keyOf(talk.title)
    if (taken.has(key) || (talk.isTemplate && own.has(key))) return []
    const since = daysSince(talk.title)
    const why = season.get(key)
    if (why !== undefined)
      return since > FRESH ? [{ talk, why: `${why} ${saidOf(last.get(key))}`, inSeason: true, since }] : []
    return !talk.isTemplate && since > LONG ? [{ talk, why: saidOf(last.get(key)), inSeason: false, since }] : []
  })
  const sorted = fitting.toSorted(
    (a, b) =>
      Number(a.talk.isTemplate) - Number(b.talk.isTemplate) ||
      order(a.since, b.since) ||
      a.talk.title.localeCompare(b.talk.title),
  )
  const ofSeason = sorted.filter((t) => t.inSeason).slice(0, MAX_SEASONAL_SUGGESTIONS)
  const others = sorted.filter((t) => !t.inSeason).slice(0, MAX_SUGGESTIONS - ofSeason.length)
  return [...ofSeason, ...others].map(({ talk, why }) => ({ ...talk, why }))
}

const order = (a: number, b: number) => (a === b ? 0 : a > b ? -1 : 1)

const saidOf = (day: string | undefined) =>
  day === undefined ? 'Not presented yet.' : `Last presented on ${formatIsoDateAsUk(day)}.`
