import type { Transporter } from 'nodemailer'
import type { Config } from '#server/config.ts'
import { listener, type Outside } from '#server/engine/listener.ts'
import { type Letter, letter } from './letter.ts'
import { withLink } from './link.server.ts'
import { senderOf, withName } from './name.server.ts'

/** Milliseconds that a mail server may take to be reached, to greet, and to answer: one that hangs is given up. */
const PATIENCE = { connectionTimeout: 15_000, greetingTimeout: 15_000, socketTimeout: 60_000 }

let transport: { url: string; it: Transporter } | undefined
const transportTo = async (url: string): Promise<Transporter> => {
  if (transport?.url !== url) {
    const { createTransport } = await import('nodemailer')
    transport = { url, it: createTransport({ url, ...PATIENCE }) }
  }
  return transport.it
}

/**
 * Sends a letter and keeps it readable in the portal. Without SMTP it is only kept. A letter with a secret link is kept
 * without its body, so that nobody but its addressee can use the link; without SMTP there is no other way to get at it, so
 * there the link is printed where the portal's operator reads, if that is a desk: a server's output is kept.
 *
 * A letter that has been sent is never sent again. Only where the process dies between the mail server's yes and the note
 * of it is a letter sent twice; it then carries the same Message-ID, by which receivers know it.
 */
export const sendMail = listener(letter, {
  name: 'mail.send',
  lane: 'mail',
  send: async (to, payload) => {
    const named = await withName(to, payload)
    const message = await keep(to, named)
    if (message === undefined) return
    const whole = await withLink(to, named)
    const error = whole ? await deliver(to, whole, senderOf(to.engine.config, named)) : undefined
    const state = error ? 'failed' : whole && to.engine.config.smtpUrl ? 'sent' : 'kept'
    await to.engine.db.tx({ clientId: to.clientId }, async (tx) => {
      await tx.rows(
        `UPDATE message SET state = $3, error = $4, sent_at = CASE WHEN $3 = 'sent' THEN portal_now() END WHERE client_id = $1 AND id = $2`,
        [to.clientId, message, state, error?.message.slice(0, 300) ?? null],
      )
    })
    to.engine.tell(new Set(['message']))
    if (error) throw error
  },
})

/** Keeps a letter before it is tried; `undefined` for one that has been sent. */
async function keep({ engine, clientId, id }: Outside, l: Letter): Promise<number | undefined> {
  const [kept] = await engine.db.tx({ clientId }, (tx) =>
    tx.rows<{ id: number }>(
      `INSERT INTO message (client_id, letter, recipient, subject, body, template, confidential, author, attachments, about) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
       ON CONFLICT (client_id, letter) DO UPDATE SET state = 'waiting' WHERE message.state NOT IN ('sent', 'kept') RETURNING id`,
      [
        clientId,
        id,
        l.to,
        l.subject,
        l.confidential ? 'This letter holds a personal link and is not shown.' : l.body,
        l.template,
        l.confidential,
        l.author,
        l.attachments.map((a) => a.filename),
        l.about,
      ],
    ),
  )
  return kept?.id
}

/** Hands a letter to the mail server; what went wrong, if anything did. */
async function deliver(to: Outside, l: Letter, from: ReturnType<typeof senderOf>): Promise<Error | undefined> {
  const { engine, clientId, id } = to
  const { smtpUrl } = engine.config
  if (!smtpUrl) {
    if (l.confidential && engine.db.kind === 'embedded')
      process.stdout.write(
        `\nNo mail server is set up. To ${l.to}: ${l.subject}\n${/https?:\S+/.exec(l.body)?.[0] ?? ''}\n`,
      )
    return undefined
  }
  return transportTo(smtpUrl)
    .then(async (transporter) =>
      transporter.sendMail({
        from,
        messageId: `<letter.${clientId}.${id}@${hostOf(engine.config)}>`,
        to: l.to,
        subject: l.subject,
        text: l.body,
        attachments: await attachmentsOf(to, l),
      }),
    )
    .then(
      () => undefined,
      (e: Error) => e,
    )
}

const hostOf = ({ publicUrl, mailFrom }: Config): string =>
  publicUrl ? new URL(publicUrl).hostname : (/@([\w.-]+)/.exec(mailFrom)?.[1] ?? 'localhost')

/** The files of a letter as the mail server takes them. Throws for one that is no longer there. */
const attachmentsOf = ({ engine, clientId }: Outside, { attachments }: Letter) =>
  Promise.all(
    attachments.map(async ({ filename, contentType, file, base64 }) => {
      const content = file === undefined ? base64 : await readKept(file)
      if (content === undefined) throw new Error(`The file "${filename}" of this letter is no longer kept`)
      return { filename, contentType, content, encoding: 'base64' as const }

      async function readKept(id: number): Promise<string | undefined> {
        const [kept] = await engine.db.tx({ clientId }, (tx) =>
          tx.rows<{ base64: string }>('SELECT base64 FROM letter_file WHERE client_id = $1 AND id = $2', [
            clientId,
            id,
          ]),
        )
        return kept?.base64
      }
    }),
  )
