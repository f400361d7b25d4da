import { useLocation, useParams, useSearchParams } from 'react-router'
import { queryString } from '#web/api/client.ts'
import { useDocumentTypeComponents } from '../forms/type-parts.web.ts'
import type { DocumentKind } from '../types/kind.ts'
import type { DocumentTypeComponents } from '../types/kind.web.ts'

export interface DocumentStartOption {
  /** Name in the URL: `blank`, `template`, `copy` or the name of a source. */
  readonly name: string
  readonly label: string
  /** Document type of the records to choose from; undefined for a blank document. */
  readonly of?: DocumentKind
  /** URL of the initial values from the chosen record. */
  readonly model: (kind: DocumentKind, chosen: string) => string
}

const copied: DocumentStartOption['model'] = ({ resource }, chosen) => `${resource.url}/${chosen}/copy`

/** Start options of a document type: blank, records of its own type, and records of other types. */
const startsOf = (kind: DocumentKind): readonly [DocumentStartOption, ...DocumentStartOption[]] => [
  { name: 'blank', label: 'Blank', model: ({ resource }) => `${resource.url}/create_new` },
  { name: 'template', label: 'Template', of: kind, model: copied },
  { name: 'copy', label: 'Copy an existing one', of: kind, model: copied },
  ...Object.entries(kind.sources?.() ?? {}).map(([name, of]) => ({
    name,
    label: of.name,
    of,
    model: ({ resource }: DocumentKind, chosen: string) => `${resource.url}/model${queryString({ [name]: chosen })}`,
  })),
]

/** Start options in display order: those that save the most work first, blank last. */
export const documentStartOptions = (kind: DocumentKind): readonly DocumentStartOption[] => {
  const [blank, template, copy, ...sources] = startsOf(kind)
  return [...sources, ...[template, copy].flatMap((one) => one ?? []), blank]
}

/** Start option and record chosen in the URL. */
export function useDocumentStartOption(kind: DocumentKind): {
  readonly start: DocumentStartOption
  readonly chosen: string | undefined
} {
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

/** Loads the parts of the document type to choose a record from. */
export function useSourceTypeComponents(
  parts: DocumentTypeComponents,
  { of }: DocumentStartOption,
): DocumentTypeComponents | undefined {
  return useDocumentTypeComponents(parts, of?.kind ?? parts.kind.kind)
}
