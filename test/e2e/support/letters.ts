import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'

export interface SentEmail {
  readonly to: string
  readonly text: string
}

export async function startMailServer() {
  const letters: SentEmail[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    onData: (stream, session, done) => {
      let text = ''
      stream.on('data', (part: Buffer) => (text += part.toString()))
      stream.on('end', () => {
        letters.push({ to: session.envelope.rcptTo.map((a) => a.address).join(), text: decode(text) })
        done()
      })
    },
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return {
    letters,
    address: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    close: () => new Promise<void>((done) => server.close(() => done())),
  }
}

/** Decodes quoted-printable text and normalises its line endings. */
const decode = (text: string) =>
  text
    .replace(/=\r?\n/g, '')
    .replaceAll('\r\n', '\n')
    .replace(/(?:=[0-9A-F]{2})+/g, (m) => Buffer.from(m.replaceAll('=', ''), 'hex').toString())
