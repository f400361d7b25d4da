import { startServer } from '#app/server.ts'
import { readConfig } from '#server/config.ts'

// The real server, whose embedded database breaks on SIGUSR2: it traps, its memory is filled with nonsense, or it is never done.

const config = readConfig(process.env)
const { db } = await startServer(config, async () => {})

const trap = () => {
  throw new WebAssembly.RuntimeError('unreachable')
}
const breaks: Readonly<Record<string, () => void>> = {
  trap: () => {
    if ('pglite' in db.origin) Object.assign(db.origin.pglite, { execProtocolRaw: trap, execProtocolRawSync: trap })
  },
  memory: () => {
    if ('pglite' in db.origin) db.origin.pglite.Module.HEAPU8.fill(0xff)
  },
  time: () => void db.tx('system', (tx) => tx.rows('SELECT count(*) FROM generate_series(1, 1000000000)')),
}
process.on('SIGUSR2', () => breaks[process.env.BREAKS ?? '']?.())
process.stdout.write('ready\n')
