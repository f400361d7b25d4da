import type { Context } from '#server/engine/types.ts'
import type { EmailRequest } from './letter.ts'

type Attachment = EmailRequest['attachments'][number]

/** Stores an attachment once for all e-mails that include it. */
export async function storeAttachment(
  c: Context,
  file: { readonly filename: string; readonly contentType: string; readonly bytes: Buffer },
): Promise<Attachment> {
  const { filename, contentType, bytes } = file
  const [kept] = await c.work.tx.rows<{ id: number }>(
    'INSERT INTO letter_file (client_id, name, type, base64) VALUES ($1, $2, $3, $4) RETURNING id',
    [c.clientId, filename, contentType, bytes.toString('base64')],
  )
  return { filename, contentType, file: kept?.id ?? 0 }
}
