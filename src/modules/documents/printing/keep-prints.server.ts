import { eventHandler } from '#server/engine/handler.ts'
import { feature } from '#server/engine/module.ts'
import type { DocumentKind } from '../types/kind.ts'
import { ensurePrint, readStanding } from './kept-print.server.ts'
import { keptPrintRoute } from './kept-print-route.server.ts'
import { pdfRoute } from './print.server.ts'
import { printDue } from './print-due.ts'

/** Renders and stores the PDF of a sealed revision after each event. */
const keepPrints = (kinds: readonly DocumentKind[]) =>
  eventHandler(printDue, {
    name: 'document.keep-print',
    queue: 'events',
    send: async ({ engine, clientId }, { kind: name, document: id }) => {
      const kind = kinds.find((k) => k.kind === name)
      // A deleted draft was never sealed.
      if (kind && (await readStanding(engine, { clientId, id }))) await ensurePrint(engine, kind, { clientId, id })
    },
  })

export const printing = (kinds: readonly DocumentKind[]) =>
  feature({ pack: 'safety', routes: [...kinds.map(pdfRoute), keptPrintRoute(kinds)], handlers: [keepPrints(kinds)] })
