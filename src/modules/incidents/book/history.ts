interface HistoryEvent {
  readonly event: string
  /** For a change: the labels of the changed fields, separated by commas. */
  readonly notes: string
  readonly author: string | null
  readonly createdAt: string
}

const CHANGED = 'Changed'
/** Longest pause between two changes that are shown as one. */
const PAUSE_MINUTES = 30

/**
 * Returns the history with consecutive changes by one person as one event, at the time of the last. The editor saves
 * while the person types, so that an hour's work consists of many changes.
 */
export function mergeChanges<E extends HistoryEvent>(events: readonly E[]): readonly E[] {
  const merged: E[] = []
  for (const event of events) {
    const last = merged.at(-1)
    if (last && isContinued(last, event)) merged[merged.length - 1] = { ...event, notes: joinLabels(last, event) }
    else merged.push(event)
  }
  return merged
}

const isContinued = (last: HistoryEvent, next: HistoryEvent): boolean =>
  last.event === CHANGED &&
  next.event === CHANGED &&
  last.author === next.author &&
  minutesBetween(last.createdAt, next.createdAt) <= PAUSE_MINUTES

const minutesBetween = (from: string, until: string): number =>
  Temporal.Instant.from(from).until(Temporal.Instant.from(until)).total('minutes')

const joinLabels = (...events: readonly HistoryEvent[]): string =>
  [...new Set(events.flatMap(({ notes }) => notes.split(', ')))].filter(Boolean).join(', ')
