/** ` a month`, ` every 3 months`, or nothing for what is paid once. */
export function intervalWords(interval: string | null | undefined, count: number | null | undefined): string {
  if (!interval) return ''
  return !count || count === 1 ? ` a ${interval}` : ` every ${count} ${interval}s`
}
