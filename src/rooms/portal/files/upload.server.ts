import type { MultipartFile } from '@fastify/multipart'
import { z } from 'zod'
import { Problem, problem } from '#kernel/errors.ts'
import { tooLarge } from '#kernel/file-limit.ts'
import { idByEither } from '#kernel/iri.ts'
import { iriOf } from '#kernel/resource.ts'
import type { Roles } from '#kernel/roles.ts'
import { present } from '#server/engine/engine.ts'
import { type Route, RouteAnswer, type RouteContext } from '#server/engine/route.ts'
import { discard, receive, TooLong } from '#server/files/receive.ts'
import { refusedFile } from '#server/files/sniff.ts'
import { storeOf } from '#server/files/store.ts'
import { documentFolder, FILE_PEOPLE } from './document-folder.ts'
import { keep, type Named } from './keep.server.ts'
import type { FileResource } from './stored-file.ts'
import { uploadedDocument } from './uploaded-document.ts'

/** The name without its folders and without what no name holds. */
const plainName = (name: string) =>
  name
    .replace(/^.*[/\\]/, '')
    .replace(/\p{Cc}/gu, '')
    .trim()
    .slice(0, 255)
    .toWellFormed() || 'file'

interface Sent {
  readonly file: Named
  readonly label: string
  readonly folder: string
}

const TEXTS = new Set(['label', 'folder'])

/** The parts of the form: `file`, and before or after it `label` and `folder`. */
async function readForm(c: RouteContext): Promise<Sent> {
  if (!c.request.parts) throw problem.mediaType('multipart/form-data')
  let file: Named | undefined
  let refused: unknown
  const texts: Record<string, string> = {}
  try {
    for await (const part of c.request.parts())
      if (part.type === 'field') {
        if (TEXTS.has(part.fieldname)) texts[part.fieldname] = typeof part.value === 'string' ? part.value : ''
      } else
        file = await readFile(part, c.engine.config.fileLimit).catch((e: unknown) => {
          // Said once the whole form has been read.
          refused = e
          return undefined
        })
  } catch (e) {
    if (file) await discard(file)
    throw e
  }
  if (refused) throw refused
  if (!file) throw refusedFile('Please choose a file.')
  return { file, label: (texts.label ?? '').trim().slice(0, 200), folder: texts.folder ?? '' }
}

async function readFile(part: MultipartFile, limit: number): Promise<Named> {
  const name = plainName(part.filename)
  try {
    return { name, ...(await receive(part.file, limit)) }
  } catch (e) {
    if (!(e instanceof TooLong)) throw e
    throw new Problem(413, tooLarge(name, limit))
  }
}

/** The folder of the actor's own client that an upload is to go to, by its IRI or number. */
async function folderId(c: RouteContext, given: string): Promise<number | null> {
  if (!given) return null
  const id = idByEither(documentFolder, given)
  if (id === undefined) throw problem.invalidIri(given)
  const folder = await c.engine.one(documentFolder, c.me, id).catch((e: unknown) => {
    throw e instanceof Problem && e.status === 404 ? problem.unknownTarget(given) : e
  })
  if (folder.client !== `/api/portal/clients/${c.me.clientId}`) throw problem.unknownTarget(given)
  if (folder.retired)
    throw problem.conflict('This folder has been retired. Please restore it first, or choose another.')
  return id
}

const answered = z.object({ id: z.int() })

/** What a door takes files into. */
interface Door {
  readonly path: string
  readonly title: string
  readonly allow: Roles
  readonly into: FileResource
  /** Asks where it belongs, before a byte is kept; answers what the record says besides the file. */
  readonly place: (c: RouteContext, sent: Sent) => Promise<Readonly<Record<string, unknown>>>
}

/** Takes one file into the actor's own client. Nothing stays behind of one that is refused. */
export const uploadRoute = ({ path, title, allow, into, place }: Door): Route => ({
  method: 'POST',
  path,
  title,
  allow,
  upload: true,
  /** Is the file that comes now the one whose record was answered? */
  sameAs: async (c, answer) => {
    const { file } = await readForm(c)
    await discard(file)
    const { id } = answered.parse(JSON.parse(answer))
    const kept = await c.engine.readIn(c.me.clientId, 'a file sent again', (reader) => reader.get(into, id))
    return kept?.checksum === file.sha256
  },
  handle: async (c) => {
    const sent = await readForm(c)
    const store = await storeOf(c.engine.config)
    const kept: string[] = []
    try {
      const more = await place(c, sent)
      const values = { ...(await keep(store, c.me.clientId, sent.file, kept)), ...more, userId: c.me.userId }
      return await c.engine.inTenant(c.me.clientId, c.change(), async (unit) => {
        const written = await unit.byRight('a record comes with its upload').create(into, values)
        return () => new RouteAnswer(201, present(into, c.me, written), { location: iriOf(into, written.row().id) })
      })
    } catch (e) {
      await Promise.allSettled(kept.map((key) => store.remove(key)))
      throw e
    } finally {
      await discard(sent.file)
    }
  },
})

/** One file into the actor's own client, for documents. */
export const upload: Route = uploadRoute({
  path: '/api/safety/uploads/{client}',
  title: 'Upload a file: multipart/form-data with `file`, and, where wanted, `label` and `folder`',
  allow: FILE_PEOPLE,
  into: uploadedDocument,
  place: async (c, { label, folder }) => {
    if (c.params.client !== c.me.clientId.toString()) throw problem.notFound()
    return { label, folder: await folderId(c, folder) }
  },
})
