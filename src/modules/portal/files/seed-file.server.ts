import { Readable } from 'node:stream'
import type { Context, Engine } from '#server/engine/types.ts'
import { discardReceivedFile, receiveToDisk } from '#server/files/receive.ts'
import { seedAsUser } from '#server/seed/seed-as.ts'
import { storeFile } from './upload.server.ts'

interface SeededFile {
  readonly name: string
  readonly bytes: Buffer
}

/** Stores a file of the demo data like an upload: inspected, and with its display versions. `save` creates its record. */
export async function seedFile<T>(
  engine: Engine,
  as: { readonly clientId: number; readonly username: string },
  { name, bytes }: SeededFile,
  save: (c: Context, stored: Awaited<ReturnType<typeof storeFile>>) => Promise<T>,
): Promise<T> {
  const file = { name, ...(await receiveToDisk(Readable.from([bytes]), bytes.length)) }
  try {
    const stored = await storeFile(engine.config, as.clientId, file, [])
    return await seedAsUser(engine, as, (c) => save(c, stored))
  } finally {
    await discardReceivedFile(file)
  }
}
