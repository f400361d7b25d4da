import { once } from 'node:events'
import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Starts a mail server that accepts every e-mail and writes it to the folder, as a file whose name contains its number
 * and its recipients. Resolves to its URL and a function that stops it.
 */
export async function startMailServer(folder) {
  // Imported here, because the tests first install the packages.
  const { SMTPServer } = await import('smtp-server')
  mkdirSync(folder, { recursive: true })
  let count = 0
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    onData: (stream, { envelope }, done) => {
      const parts = []
      stream.on('data', (part) => parts.push(part))
      stream.on('end', () => {
        const recipients = envelope.rcptTo.map(({ address }) => address).join(' ')
        const file = join(folder, `${String(++count).padStart(6, '0')} ${recipients}.eml`.replaceAll('/', '_'))
        // Readers of the folder see only complete e-mails.
        writeFileSync(`${file}.part`, Buffer.concat(parts))
        renameSync(`${file}.part`, file)
        done()
      })
    },
  })
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  return {
    url: `smtp://127.0.0.1:${server.server.address().port}`,
    stop: () => new Promise((stopped) => server.close(stopped)),
  }
}
