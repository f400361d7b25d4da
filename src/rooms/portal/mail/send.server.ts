import type { Transporter } from 'nodemailer'
import type { Job } from '#server/behaviour.ts'

/** A letter as behaviour puts it in the outbox. Attached files are base64. */
interface Letter {
  readonly to: string
  readonly subject: string
  readonly body: string
  readonly confidential?: boolean
  readonly template?: string
  readonly author?: string
  readonly attachments?: readonly { readonly filename: string; readonly contentType: string; readonly base64: string }[]
}

let transport: { url: string; it: Transporter } | undefined
const transportTo = async (url: string): Promise<Transporter> => {
  if (transport?.url !== url) transport = { url, it: (await import('nodemailer')).createTransport(url) }
  return transport.it
}

/**
 * Sends a letter from the outbox and keeps it readable in the portal. Without SMTP it is only kept. A letter with a secret
 * link is kept without its body, so that nobody but its addressee can use the link; without SMTP there is no other
 * way to get at it, so there the link is printed where the portal's operator reads.
 */
export const sendMail: Job = {
  kind: 'mail',
  run: async (engine, payload, clientId) => {
    const {
      to,
      subject,
      body,
      confidential = false,
      template = '',
      author = '',
      attachments = [],
    } = payload as unknown as Letter
    const { smtpUrl, mailFrom } = engine.config
    let error: Error | undefined
    if (smtpUrl)
      error = await (await transportTo(smtpUrl))
        .sendMail({
          from: mailFrom,
          to,
          subject,
          text: body,
          attachments: attachments.map(({ base64, ...a }) => ({ ...a, content: base64, encoding: 'base64' })),
        })
        .then(
          () => undefined,
          (e: Error) => e,
        )
    else if (confidential)
      process.stdout.write(`\nNo mail server is set up. To ${to}: ${subject}\n${/https?:\S+/.exec(body)?.[0] ?? ''}\n`)
    const state = error ? 'failed' : smtpUrl ? 'sent' : 'kept'
    await engine.db.tx({ clientId }, (tx) =>
      tx.rows(
        `INSERT INTO message (client_id, recipient, subject, body, template, state, error, confidential, author, attachments, sent_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, CASE WHEN $6 = 'sent' THEN now() END)`,
        [
          clientId,
          to,
          subject,
          confidential ? 'This letter holds a personal link and is not shown.' : body,
          template,
          state,
          error?.message.slice(0, 300) ?? null,
          confidential,
          author,
          attachments.map((a) => a.filename),
        ],
      ),
    )
    if (error) throw error
  },
}
