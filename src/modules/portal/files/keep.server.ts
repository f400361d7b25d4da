import { hash, randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import type { Config } from '#server/config.ts'
import type { FileKind } from '#server/files/kinds.ts'
import type { Received } from '#server/files/receive.ts'
import { scan } from '#server/files/scan.ts'
import { refusedFile, sniff } from '#server/files/sniff.ts'
import { storeOf } from '#server/files/store.ts'
import { assertWholePdf } from '#server/files/whole-pdf.ts'
import { makeShown } from '#server/pictures/make-shown.ts'

/** A file that has come in, under the name that it was sent with. */
export type Named = Received & { readonly name: string }

/** Kinds of file that a door may want and no others, as people call them. */
const WANTED = { pdf: 'a PDF', image: 'a picture: a PNG or JPEG file, for example' } as const satisfies Partial<
  Record<FileKind['family'], string>
>

/** Has the file looked at, and puts it and the versions of it that are shown into the store; the values of its record. */
export async function keep(config: Config, clientId: number, file: Named, kept: string[], only?: keyof typeof WANTED) {
  if (file.bytes === 0)
    throw refusedFile(`"${file.name}" is empty: it has 0 bytes. Please check the file and try again.`)
  const kind = await sniff(file.path, file.name)
  if (only && kind.family !== only) throw refusedFile(`"${file.name}" is ${kind.words}. Please send ${WANTED[only]}.`)
  if (only === 'pdf') await assertWholePdf(file.path, file.name)
  await scan(config, file)
  const store = await storeOf(config)
  const shown = kind.family === 'image' ? await makeShown({ path: file.path, name: file.name, clientId }) : undefined
  const put = async (from: Readable, bytes: number) => {
    const key = `${clientId}/${randomUUID()}`
    kept.push(key)
    await store.put(key, from, bytes)
    return key
  }
  const putBytes = (b: Buffer) => put(Readable.from([b]), b.length)
  return {
    name: file.name,
    type: kind.type,
    size: file.bytes,
    checksum: file.sha256,
    fileKey: await put(createReadStream(file.path), file.bytes),
    ...(shown && {
      width: shown.width,
      height: shown.height,
      viewKey: await putBytes(shown.view),
      viewType: shown.viewType,
      viewSize: shown.view.length,
      thumbnailKey: await putBytes(shown.thumbnail),
    }),
  }
}

/** A PDF that the portal has made, under the name that it gives it. */
export interface Made {
  readonly name: string
  readonly bytes: Buffer
}

/** Puts what the portal has made itself into the store, where nobody need look at it; the values of its record. */
export async function keepMade(config: Config, clientId: number, { name, bytes }: Made, kept: string[]) {
  const fileKey = `${clientId}/${randomUUID()}`
  kept.push(fileKey)
  await (await storeOf(config)).put(fileKey, Readable.from([bytes]), bytes.length)
  return { name, type: 'application/pdf', size: bytes.length, checksum: hash('sha256', bytes, 'hex'), fileKey }
}
