import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { problem } from '#kernel/errors.ts'
import type { Engine } from '#server/engine/types.ts'
import { MissingFileError } from '#server/files/port.ts'
import { fileStoreFor } from '#server/files/store.ts'
import { type BatchJobKey, fileKeyOf } from '#server/jobs/batch-job-file.ts'

/** Stores the portions of a large pack in the file store until they are joined, so that any process can continue. */
export async function openPackWorkspace(engine: Engine, run: BatchJobKey) {
  const store = await fileStoreFor(engine.config)
  const keyOf = (name: string) => `${fileKeyOf(run)}-${name}`
  const put = (name: string, bytes: Buffer) => store.put(keyOf(name), Readable.from([bytes]), bytes.length)
  const get = async (name: string): Promise<Buffer> =>
    buffer(
      await store.get(keyOf(name)).catch((e: unknown) => {
        if (!(e instanceof MissingFileError)) throw e
        throw problem.conflict('The unfinished pack has been deleted. Please start it again.')
      }),
    )
  return {
    put,
    get,
    putJson: (name: string, value: unknown) => put(name, Buffer.from(JSON.stringify(value))),
    getJson: async <T>(name: string): Promise<T> => JSON.parse((await get(name)).toString()),
    remove: (name: string) => store.remove(keyOf(name)),
    /** Deletes the finished portions and the one in progress. */
    clear: async (portions: number) => {
      await store.remove(keyOf('list'))
      for (let n = 0; n <= portions; n++)
        for (const name of [`portion-${n}`, `pdf-${n}`, `about-${n}`]) await store.remove(keyOf(name))
    },
  }
}

export type PackWorkspace = Awaited<ReturnType<typeof openPackWorkspace>>
