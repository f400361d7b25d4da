import { createServer } from 'node:net'

/**
 * Range of ports to try. It is below the range from which systems assign ports to outgoing connections. Otherwise, such
 * a connection could take a port before the server listens on it.
 */
const FIRST = 20_000
const LAST = 32_000
/** Processes that search at the same time start at different ports. */
let next = FIRST + ((process.pid * 37) % (LAST - FIRST))

const isFree = (port) =>
  new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })

/** Resolves to an unused local port. Simultaneous calls in a process get different ports. */
export async function findFreePort() {
  for (;;) {
    next = next < LAST ? next + 1 : FIRST
    const port = next
    if (await isFree(port)) return port
  }
}
