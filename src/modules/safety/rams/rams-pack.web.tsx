import { rowsOf } from '#kernel/forms/rows.ts'
import { countOf } from '#kernel/text.ts'
import type { DocumentKindWeb } from '#modules/documents/types/kind.web.ts'
import { ramsCompared } from './compared.ts'
import { ramsPack } from './rams-pack.ts'

/** RAMS packs on the screen. */
export default {
  kind: ramsPack,
  body: () => import('./body.web.tsx'),
  compare: ramsCompared,
  check: (record) => ({ sums: countOf(rowsOf(record.papers).length, 'paper'), looks: [] }),
} satisfies DocumentKindWeb
