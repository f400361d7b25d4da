import { eventHandler } from '#server/engine/handler.ts'
import { feature } from '#server/engine/module.ts'
import type { DocumentKind } from '../types/kind.ts'
import { ensureStoredPrint, readPrintState } from './kept-print.server.ts'
import { storedPrintRoute } from './kept-print-route.server.ts'
import { documentPdfRoute } from './print.server.ts'
import { printDueEvent } from './print-due.ts'

/** Renders and stores the PDF of a sealed revision after each event. */
const storePrintOnEvent = (kinds: readonly DocumentKind[]) =>
  eventHandler(printDueEvent, {
    name: 'document.keep-print',
    queue: 'events',
    send: async ({ engine, clientId }, { kind: name, document: id }) => {
      const kind = kinds.find((k) => k.kind === name)
      // A deleted draft was never sealed.
      if (kind && (await readPrintState(engine, { clientId, id })))
        await ensureStoredPrint(engine, kind, { clientId, id })
    },
  })

export const printing = (kinds: readonly DocumentKind[]) =>
  feature({
    pack: 'safety',
    routes: [...kinds.map(documentPdfRoute), storedPrintRoute(kinds)],
    handlers: [storePrintOnEvent(kinds)],
  })
