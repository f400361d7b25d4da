import { createServer } from 'node:net'

/** Below those that systems give to outgoing connections, one of which could take a port before the server it is meant for listens. */
const FIRST = 20_000
const LAST = 32_000
/** Processes that look at the same moment begin at different ones. */
let next = FIRST + ((process.pid * 37) % (LAST - FIRST))

const isFree = (port) =>
  new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })

/** Resolves to a port of this machine that nobody listens on. No process is given one twice, though it asks for several at once. */
export async function freePort() {
  for (;;) {
    next = next < LAST ? next + 1 : FIRST
    const port = next
    if (await isFree(port)) return port
  }
}
