import type { ServerAvailabilityMonitor } from './availability.ts'
import { PgConnection } from './connection.ts'

/** Shortest and longest wait in milliseconds before a broken connection is replaced. */
const [SOON_MS, LATE_MS] = [500, 30_000]

/**
 * Listens on a separate connection, which is replaced when it breaks. Receives nothing behind a pooler that shares
 * connections.
 */
export function listenToChannel(
  url: string,
  reach: ServerAvailabilityMonitor,
  channel: string,
  heard: (told: string) => void,
  missed: () => void,
): () => void {
  let line: PgConnection | undefined
  let isOver = false
  let wait = SOON_MS
  let timer: NodeJS.Timeout | undefined
  const again = () => {
    if (isOver) return
    timer = setTimeout(() => void open(), wait).unref()
    wait = Math.min(2 * wait, LATE_MS)
  }
  const open = async () => {
    const one = new PgConnection({ connectionString: url, keepAlive: true, application_name: 'stanchion listens' })
    line = one
    one.on('notification', ({ payload }) => heard(payload ?? ''))
    one.once('end', again)
    try {
      await one.connect()
      await one.ask((asked) => asked.run(`LISTEN ${channel}`))
      wait = SOON_MS
      if (!isOver) missed()
    } catch {
      one.cut('The channel could not be opened')
    }
    if (isOver) one.cut('The subscription has ended')
  }
  reach.onChange((isAway) => {
    if (isAway) line?.cut('The database does not respond')
  })
  void open()
  return () => {
    isOver = true
    clearTimeout(timer)
    line?.cut('The subscription has ended')
  }
}
