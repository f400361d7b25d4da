import { z } from 'zod'
import { defineEvent } from '#kernel/event.ts'
import { eventHandler } from '#server/engine/handler.ts'
import { schedule } from '#server/engine/schedule.ts'
import type { Engine } from '#server/engine/types.ts'
import { removeImportUpload, removeOldImportUploads } from './files.server.ts'
import { refreshLeadStatistics } from './write.server.ts'

/** Emitted when a file is no longer needed, or many leads have been added or removed. */
export const importEnded = defineEvent({
  kind: 'crm.import-over',
  version: 1,
  payload: z.object({ file: z.string().nullable(), grown: z.boolean() }),
})

/** Cleans up after an import, once it is committed. */
export const cleanUpImport = eventHandler(importEnded, {
  name: 'crm.import-clear-up',
  queue: 'imports',
  send: async ({ engine }, { file, grown }) => {
    await removeImportUpload(engine.config, file)
    if (grown) await refreshLeadStatistics(engine.db)
  },
})

const sweep = async (engine: Engine): Promise<void> => {
  await engine.db.tx('system', (tx) =>
    tx.rows(
      "UPDATE import_batch SET state = 'cancelled', file_key = NULL WHERE state IN ('waiting', 'checked') AND created_at < portal_now() - interval '7 days'",
    ),
  )
  await removeOldImportUploads(engine.config)
}

/** Removes abandoned files daily. */
export const importCleanUpSchedule = schedule({ name: 'crm.imports', every: { daily: '04:00' }, run: sweep })
