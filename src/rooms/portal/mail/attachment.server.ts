import type { Context } from '#server/engine/context.ts'
import type { Outside } from '#server/engine/listener.ts'
import type { Letter } from './letter.ts'

type Attachment = Letter['attachments'][number]

/** Keeps a file that goes with letters, once for all of them. */
export async function keepAttachment(
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

/** The files of a letter as the mail server takes them. Throws for one that is no longer there. */
export const attachmentsOf = ({ engine, clientId }: Outside, { attachments }: Letter) =>
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
