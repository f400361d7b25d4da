import { randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Account, canReach, giveTo } from './account.ts'

/** How an embedded server is reached. */
export interface Access {
  /** Options of `initdb`. */
  readonly options: readonly string[]
  readonly settings: readonly string[]
  readonly password?: string
  /** The address of a database for a login. */
  url(login: string, database: string): string
  close(): void
}

/** Characters of a folder for sockets, whose paths have a limit of about a hundred. */
const LONGEST = 70

/** By a socket in a folder that only this account, and the one that runs PostgreSQL, can enter. No password: nobody else comes that far. */
export function bySocket(account: Account | undefined): Access {
  const parent = [tmpdir(), '/tmp'].find((path) => path.length < LONGEST && canReach(account, path)) ?? '/tmp'
  const folder = mkdtempSync(join(parent, 'stanchion-socket-'))
  giveTo(account, folder)
  return {
    options: ['--auth-local=trust', '--auth-host=reject'],
    settings: ['listen_addresses=', `unix_socket_directories=${folder}`, 'unix_socket_permissions=0700'],
    url: (login, database) =>
      `postgres://${login}@localhost:5432/${database}?host=${encodeURIComponent(folder)}&sslmode=disable`,
    close: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** By a port of this machine, with a password that is kept in the data folder: on Windows, where the driver has no sockets. */
export async function byPort(dir: string, account: Account | undefined): Promise<Access> {
  const file = join(dir, 'database-password')
  if (!existsSync(file)) writeFileSync(file, randomBytes(24).toString('base64url'), { mode: 0o600 })
  giveTo(account, file)
  const password = readFileSync(file, 'utf8')
  const port = await freePort()
  return {
    options: ['-A', 'scram-sha-256', `--pwfile=${file}`],
    settings: ['listen_addresses=127.0.0.1', `port=${port}`, 'unix_socket_directories='],
    password,
    url: (login, database) => `postgres://${login}:${password}@127.0.0.1:${port}/${database}?sslmode=disable`,
    close: () => {},
  }
}

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer().once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })
