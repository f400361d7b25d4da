/** Formats the remaining time: `29:05`, `1:29:05`, or `0:00` once it is over. */
export function formatTimeLeft(until: string, nowMs: number): string {
  const s = Math.max(0, Math.ceil((Date.parse(until) - nowMs) / 1000))
  const h = Math.floor(s / 3600)
  const mm = String(Math.floor((s % 3600) / 60)).padStart(h ? 2 : 1, '0')
  return `${h ? `${h}:` : ''}${mm}:${String(s % 60).padStart(2, '0')}`
}
