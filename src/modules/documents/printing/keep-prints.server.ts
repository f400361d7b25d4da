import { eventHandler } from '#server/engine/handler.ts'
import type { DocumentKind } from '../types/kind.ts'
import { ensurePrint, readStanding } from './kept-print.server.ts'
import { printDue } from './print-due.ts'

/** Makes and keeps the print of a sealed revision, right after something was done with it. */
export const keepPrints = (kinds: readonly DocumentKind[]) =>
  eventHandler(printDue, {
    name: 'document.keep-print',
    queue: 'events',
    send: async ({ engine, clientId }, { kind: name, document: id }) => {
      const kind = kinds.find((k) => k.kind === name)
      // A draft that is deleted was never sealed.
      if (kind && (await readStanding(engine, { clientId, id }))) await ensurePrint(engine, kind, { clientId, id })
    },
  })
