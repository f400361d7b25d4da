import type { MultipartFile } from '@fastify/multipart'
import { z } from 'zod'
import { Problem, problem } from '#kernel/errors.ts'
import { tooLarge } from '#kernel/file-limit.ts'
import { LONGEST_LABEL } from '#kernel/forms/uploads.ts'
import { idByEither } from '#kernel/iri.ts'
import { iriOf } from '#kernel/resource.ts'
import { author, type Roles } from '#kernel/roles.ts'
import { asSeen } from '#kernel/text.ts'
import type { Config } from '#server/config.ts'
import { readInput } from '#server/data/input.ts'
import type { PendingWrite } from '#server/data/writing/pending-write.ts'
import { present } from '#server/engine/field-access.ts'
import { type Route, RouteAnswer, type RouteContext } from '#server/engine/route.ts'
import type { Context, Engine, WriteRequest } from '#server/engine/types.ts'
import { plainName } from '#server/files/plain-name.ts'
import { discard, receive, TooLong } from '#server/files/receive.ts'
import { refusedFile } from '#server/files/sniff.ts'
import { storeOf } from '#server/files/store.ts'
import { documentFolder, FILE_PEOPLE } from './document-folder.ts'
import { keep, keepMade, type Made, type Named } from './keep.server.ts'
import type { FileResource } from './stored-file.ts'
import { uploadedDocument } from './uploaded-document.ts'

interface Sent {
  readonly file: Named
  readonly label: string
  readonly folder: string
  readonly expires: string
}

/** A form with one file, as it came. */
interface Form {
  readonly file: Named
  readonly texts: Readonly<Record<string, string>>
}

const TEXTS = ['label', 'folder', 'expires']

/** The day on which a file expires, as a form says it; throws 400 for what is none. */
export const readExpiry = (given: string): string | null => {
  const { expires } = uploadedDocument.fields
  return (readInput({ expires }, { expires: given || null }).values.expires as string | null) ?? null
}

/** The parts of a form: `file`, and before or after it the texts that are asked for. */
async function readForm(c: RouteContext, names = TEXTS, limit = c.engine.config.fileLimit): Promise<Form> {
  if (!c.request.parts) throw problem.mediaType('multipart/form-data')
  let file: Named | undefined
  let refused: unknown
  const texts: Record<string, string> = {}
  try {
    for await (const part of c.request.parts())
      if (part.type === 'field') {
        if (names.includes(part.fieldname)) texts[part.fieldname] = typeof part.value === 'string' ? part.value : ''
      } else
        file = await readFile(part, limit).catch((e: unknown) => {
          // Said once the whole form has been read.
          refused = e
          return undefined
        })
  } catch (e) {
    if (file) await discard(file)
    throw e
  }
  if (refused) {
    if (file) await discard(file)
    throw refused
  }
  if (!file) throw refusedFile('Please choose a file.')
  return { file, texts }
}

const sentIn = ({ file, texts }: Form): Sent => ({
  file,
  label: asSeen(asSeen(texts.label ?? '').slice(0, LONGEST_LABEL)),
  folder: texts.folder ?? '',
  expires: (texts.expires ?? '').trim(),
})

interface Taking {
  readonly clientId: number
  /** The texts that the form may hold. */
  readonly texts?: readonly string[]
  /** Bytes, where it is less than the portal takes. */
  readonly limit?: number
  /** The one kind of file that is taken. */
  readonly only?: 'pdf' | 'image'
}

/** Takes one file into a client; `then` has it kept, and writes its record. Nothing stays behind of one that is refused. */
export async function takeFile<T>(
  c: RouteContext,
  { clientId, texts, limit, only }: Taking,
  then: (form: Form, keepIt: () => ReturnType<typeof keep>) => Promise<T>,
): Promise<T> {
  const { config } = c.engine
  const form = await readForm(c, texts && [...texts], limit && Math.min(limit, config.fileLimit))
  try {
    return await keeping(config, (kept) => then(form, () => keep(config, clientId, form.file, kept, only)))
  } finally {
    await discard(form.file)
  }
}

/**
 * Puts a PDF that the portal has made into a client's files; `then` writes its record. Nothing stays behind where that is refused.
 * Throws 413 beyond what the portal takes.
 */
export async function takeMade<T>(
  { config }: Engine,
  clientId: number,
  made: Made,
  then: (file: Awaited<ReturnType<typeof keepMade>>) => Promise<T>,
): Promise<T> {
  if (made.bytes.length > config.fileLimit) throw new Problem(413, tooLarge(made.name, config.fileLimit))
  return keeping(config, async (kept) => then(await keepMade(config, clientId, made, kept)))
}

/** Does something with files that are put into the store meanwhile: where it fails, they go. */
async function keeping<T>(config: Config, act: (kept: string[]) => Promise<T>): Promise<T> {
  const kept: string[] = []
  try {
    return await act(kept)
  } catch (e) {
    const store = await storeOf(config)
    await Promise.allSettled(kept.map((key) => store.remove(key)))
    throw e
  }
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

type Values = Readonly<Record<string, unknown>>

/** What a door takes files into. */
interface Door {
  readonly path: string
  readonly title: string
  readonly allow: Roles
  readonly into: FileResource
  /** Asks where it belongs, before a byte is kept; answers what the record says besides the file. */
  readonly place: (c: RouteContext, sent: Sent) => Promise<Values>
  /** Which record the change is of, where it is of one that is there already. */
  readonly change?: (c: RouteContext) => Promise<WriteRequest>
  /** Writes the record; a new one unless said. */
  readonly write?: (unit: Context, values: Values, change: WriteRequest) => Promise<PendingWrite>
}

/** Takes one file into the actor's own client. Nothing stays behind of one that is refused. */
export const uploadRoute = ({ path, title, allow, into, place, change, write }: Door): Route => ({
  method: 'POST',
  path,
  title,
  allow,
  upload: true,
  /** Is the file that comes now the one whose record was answered? */
  isReplayOf: async (c, answer) => {
    const { file } = await readForm(c)
    await discard(file)
    const { id } = answered.parse(JSON.parse(answer))
    const kept = await c.engine.readIn(c.me.clientId, 'a file sent again', (reader) => reader.get(into, id))
    return kept?.checksum === file.sha256
  },
  handle: (c) =>
    takeFile(c, { clientId: c.me.clientId }, async (form, keepIt) => {
      const more = await place(c, sentIn(form))
      const of = (await change?.(c)) ?? c.change()
      const values = { ...(await keepIt()), ...more, userId: c.me.userId }
      return c.engine.inTenant(c.me.clientId, of, async (unit) => {
        const written = write
          ? await write(unit, values, of)
          : await unit.withoutPermissionCheck('a record comes with its upload').create(into, values)
        return () => new RouteAnswer(201, present(into, c.me, written), { location: iriOf(into, written.row().id) })
      })
    }),
})

/** One file into the actor's own client, for documents. */
export const upload: Route = uploadRoute({
  path: '/api/safety/uploads/{client}',
  title: 'Upload a file: multipart/form-data with `file`, and, where wanted, `label`, `folder` and `expires`',
  allow: FILE_PEOPLE,
  into: uploadedDocument,
  place: async (c, { label, folder, expires }) => {
    if (c.params.client !== c.me.clientId.toString()) throw problem.notFound()
    return { label, folder: await folderId(c, folder), expires: readExpiry(expires), keeper: author(c.me).username }
  },
})
