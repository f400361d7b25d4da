import { problem, violation } from '#kernel/errors.ts'
import { idFromIri } from '#kernel/resource.ts'
import { textOf } from '#kernel/text.ts'
import { uploadedDocument } from '#modules/portal/files/uploaded-document.ts'
import type { QueuedEmailAttachment } from '#modules/portal/mail/letter.ts'
import type { RouteContext } from '#server/engine/route.ts'
import { leadFile } from '../files/lead-file.ts'

/** Many mail servers reject a larger total. */
const MOST_BYTES = 15 * 1024 * 1024
const MOST_FILES = 10

/**
 * Attachments of an e-mail, by URL: files of leads or of the file manager that the sender may read. Throws 422 for too
 * many or too large files, 400 for inaccessible ones.
 */
export async function resolveAttachments(
  { engine, me }: RouteContext,
  given: unknown,
): Promise<QueuedEmailAttachment[]> {
  const iris = Array.isArray(given) ? given.map(textOf) : []
  if (iris.length > MOST_FILES) throw problem.invalid([violation('attachments', `Attach at most ${MOST_FILES} files`)])
  let bytes = 0
  const files: QueuedEmailAttachment[] = []
  for (const iri of new Set(iris)) {
    const r = [leadFile, uploadedDocument].find((one) => idFromIri(one, iri) !== undefined)
    const id = r && Number(idFromIri(r, iri))
    if (!r || !id) throw problem.invalidIri(iri)
    await engine.one(r, me, id).catch(() => {
      throw problem.unknownTarget(iri)
    })
    const row = await engine.readIn(me.clientId, 'read a file to attach', (c) => c.get(r, id))
    if (!row || row.retired) throw problem.unknownTarget(iri)
    bytes += row.size
    files.push({ filename: row.name, contentType: row.type, key: row.fileKey })
  }
  if (bytes > MOST_BYTES)
    throw problem.invalid([violation('attachments', 'These files are too large for e-mail: 15 MB in total at most')])
  return files
}
