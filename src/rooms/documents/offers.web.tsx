import type { RoomWeb } from '#web/shell/faces/room.ts'
import { documentFinds } from './finds.web.ts'
import type { DocumentKindWeb } from './kinds/kind.web.ts'
import { documentPages } from './screens/pages.web.tsx'

/** What an area's kinds of document give to its face: their screens, what the palette finds, and what waits for somebody. */
export function documentFaces(webs: readonly DocumentKindWeb[]) {
  const kinds = webs.map((web) => web.kind)
  return {
    pages: webs.flatMap(documentPages),
    finds: [documentFinds(kinds)],
    dashboard: async () => {
      const { DocumentParts } = await import('./screens/own-work-parts.web.tsx')
      return { default: [{ order: 40, isFor: () => true, draw: () => <DocumentParts kinds={kinds} /> }] }
    },
  } satisfies RoomWeb
}
