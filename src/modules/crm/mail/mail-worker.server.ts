import { createHash, randomUUID } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ReceivedFile } from '#server/files/receive.ts'
import { serveTasks } from '#server/processes/serve-orders.ts'
import { type ReceivedMail, readMail } from './received-mail.server.ts'

/** Job that reads an e-mail as received (RFC 5322). */
export interface MailJob {
  /** Path of a file that contains the e-mail in Base64. */
  readonly path: string
  /** Folder into which the files of the e-mail are written. */
  readonly folder: string
}

/** The e-mail; absent if the message can't be read as one. */
export interface MailJobResult {
  readonly mail?: ReceivedMail<ReceivedFile>
}

serveTasks(async ({ path, folder }: MailJob): Promise<MailJobResult> => {
  const mail = await readMail(Buffer.from((await readFile(path)).toString('latin1'), 'base64'))
  if (!mail) return {}
  const write = async ({ content, ...file }: ReceivedMail['files'][number]) => {
    const to = join(folder, randomUUID())
    await writeFile(to, content, { mode: 0o600 })
    const sha256 = createHash('sha256').update(content).digest('hex')
    return { ...file, content: { path: to, bytes: content.length, sha256 } }
  }
  const [files, longTexts] = await Promise.all([
    Promise.all(mail.files.map(write)),
    Promise.all(mail.longTexts.map(write)),
  ])
  return { mail: { ...mail, files, longTexts } }
})
