import { useLocation, useParams, useSearchParams } from 'react-router'
import { queryString } from '#web/api/client.ts'
import { usePartsOf } from '../forms/parts-of.web.ts'
import type { DocumentKind } from '../types/kind.ts'
import type { KindParts } from '../types/kind.web.ts'

/** What a document can begin with. */
export interface Start {
  /** In the address: `blank`, `template`, `copy`, or the name of a source. */
  readonly name: string
  readonly label: string
  /** The kind that it is chosen from; nothing for a blank one. */
  readonly of?: DocumentKind
  /** Where what the chosen one gives is read. */
  readonly model: (kind: DocumentKind, chosen: string) => string
}

const copied: Start['model'] = ({ resource }, chosen) => `${resource.url}/${chosen}/copy`

/** All that documents of a kind can begin with: nothing, their own kind, and records of others. */
const startsOf = (kind: DocumentKind): readonly [Start, ...Start[]] => [
  { name: 'blank', label: 'Blank', model: ({ resource }) => `${resource.url}/create_new` },
  { name: 'template', label: 'Template', of: kind, model: copied },
  { name: 'copy', label: 'Copy of ours', of: kind, model: copied },
  ...Object.entries(kind.sources?.() ?? {}).map(([name, of]) => ({
    name,
    label: of.name,
    of,
    model: ({ resource }: DocumentKind, chosen: string) => `${resource.url}/model${queryString({ [name]: chosen })}`,
  })),
]

/** The same in the order in which they are offered: what saves most first, a blank one last. */
export const offeredStarts = (kind: DocumentKind): readonly Start[] => {
  const [blank, template, copy, ...sources] = startsOf(kind)
  return [...sources, ...[template, copy].flatMap((one) => one ?? []), blank]
}

/** What the address asks to begin with, and which record of those. */
export function useStart(kind: DocumentKind): { readonly start: Start; readonly chosen: string | undefined } {
  const { slug } = useParams()
  const { pathname } = useLocation()
  const [search] = useSearchParams()
  const [blank, ...others] = startsOf(kind)
  const named = others.find(({ name }) => search.has(name))
  if (named && !slug) return { start: named, chosen: search.get(named.name) ?? undefined }
  const asked = slug
    ? pathname.includes('/from-template/')
      ? 'template'
      : pathname.includes('/copy/')
        ? 'copy'
        : undefined
    : search.get('from')
  return { start: others.find(({ name }) => name === asked) ?? blank, chosen: slug }
}

/** The parts of the kind that it is chosen from, once they are there. */
export function useStartParts(parts: KindParts, { of }: Start): KindParts | undefined {
  return usePartsOf(parts, of?.kind ?? parts.kind.kind)
}
