import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A wire to a server, on a port of its own, that can be cut without anybody being told. */
export interface Wire {
  /** The same address by way of the wire. */
  readonly url: string
  /** Nothing passes any more: not on connections that stand, nor on new ones. */
  drop(): void
  /** Nothing passes on connections that stand; new ones do. What it was connected to has moved. */
  dropStanding(): void
  /** Of what is sent from now on so many bytes pass, then every connection that stands breaks. */
  breakAfter(bytes: number): void
  /** New connections pass again. What was dropped stays dropped. */
  mend(): void
  close(): void
}

/** Lays a wire to the server of a database's address. */
export async function layWire(url: string): Promise<Wire> {
  const there = new URL(url)
  const standing = new Set<Socket>()
  let isCut = false
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
        to.write(bytes)
      })
      from.on('close', () => standing.delete(from) && to.destroy())
      from.on('error', () => {})
    }
    if (isCut) dropStanding()
  })
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
    mend: () => {
      isCut = false
    },
    close: () => server.close(),
  }
}
