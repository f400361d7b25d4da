import { serveTasks } from '#server/processes/serve-orders.ts'
import { type ReceivedMail, readMail } from './received-mail.server.ts'

/** Job that reads an e-mail as received (RFC 5322), in base64. */
export interface MailJob {
  readonly message: string
}

/** The e-mail; nothing if the message can't be read as one. */
export interface MailJobResult {
  readonly mail?: ReceivedMail
}

serveTasks(async ({ message }: MailJob): Promise<MailJobResult> => {
  const mail = await readMail(Buffer.from(message, 'base64'))
  return mail ? { mail } : {}
})
