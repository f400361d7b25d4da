import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A proxy to a server, on a separate port, that can drop traffic without closing connections. */
export interface BreakableProxy {
  /** URL of the server through the proxy. */
  readonly url: string
  /** Drops all traffic, on existing and new connections. */
  drop(): void
  /** Drops traffic on existing connections but not on new ones, as if the server had moved to another machine. */
  dropStanding(): void
  /** Forwards this many more bytes, then breaks every existing connection. */
  breakAfter(bytes: number): void
  /** Forwards responses at this speed from now on. */
  slowDown(bytesPerSecond: number): void
  /** Forwards traffic on new connections again; connections that were dropped stay dropped. */
  mend(): void
  close(): void
}

/** Number of times per second that a slowed proxy forwards bytes. */
const TRICKLES_PER_SECOND = 10

export async function startProxy(url: string): Promise<BreakableProxy> {
  const there = new URL(url)
  const standing = new Set<Socket>()
  let isCut = false
  let speed = Number.POSITIVE_INFINITY
  let left = Number.POSITIVE_INFINITY
  const server = createServer((near) => {
    const far = connect(Number(there.port), there.hostname)
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      standing.add(from)
      from.on('data', (bytes: Buffer) => {
        if (!standing.has(from)) return
        if (from === near && bytes.length >= left) return breakWith(to, bytes.subarray(0, left))
        if (from === near) left -= bytes.length
        if (to === near && speed < Number.POSITIVE_INFINITY) trickle(to, bytes)
        else to.write(bytes)
      })
      from.on('close', () => standing.delete(from) && to.destroy())
      from.on('error', () => {})
    }
    if (isCut) dropStanding()
  })
  /** Bytes that each socket has not yet received. */
  const held = new Map<Socket, Buffer>()
  const trickle = (to: Socket, bytes: Buffer) => {
    const waiting = held.get(to)
    held.set(to, Buffer.concat([waiting ?? Buffer.alloc(0), bytes]))
    if (!waiting) pass(to)
  }
  const pass = (to: Socket) => {
    const waiting = held.get(to)
    if (!waiting?.length) return void held.delete(to)
    const now = Math.min(waiting.length, Math.ceil(speed / TRICKLES_PER_SECOND))
    to.write(waiting.subarray(0, now))
    held.set(to, waiting.subarray(now))
    setTimeout(() => pass(to), 1000 / TRICKLES_PER_SECOND)
  }
  const dropStanding = () => standing.clear()
  const breakWith = (to: Socket, last: Uint8Array) => {
    left = Number.POSITIVE_INFINITY
    to.write(last, () => {
      for (const socket of standing) socket.destroy()
    })
  }
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: Object.assign(new URL(url), { port: String(port) }).href,
    drop: () => {
      isCut = true
      dropStanding()
    },
    dropStanding,
    breakAfter: (bytes) => {
      left = bytes
    },
    slowDown: (bytesPerSecond) => {
      speed = bytesPerSecond
    },
    mend: () => {
      isCut = false
      speed = Number.POSITIVE_INFINITY
    },
    close: () => server.close(),
  }
}
