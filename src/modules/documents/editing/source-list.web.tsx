import '@mantine/core/styles/Combobox.layer.css'
import '@mantine/core/styles/RadioIndicator.layer.css'
import '@mantine/core/styles/Radio.layer.css'
import { Group, Radio, Select, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useState } from 'react'
import { useLocation, useParams, useSearchParams } from 'react-router'
import { PROVIDER_CLIENT_ID } from '#kernel/roles.ts'
import { riskIndustry } from '#modules/safety/industry.ts'
import { queryString } from '#web/api/client.ts'
import { useList } from '#web/api/resources.ts'
import { linkedRecordName } from '#web/forms/values.ts'
import { PagedRows } from '#web/lists/paged-rows.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { useDocumentTypeComponents } from '../forms/type-parts.web.ts'
import { DocumentChips } from '../types/chips.web.tsx'
import type { DocumentKind } from '../types/kind.ts'
import type { DocumentTypeComponents } from '../types/kind.web.ts'
import { clientIdOf, type DocumentRecord, documentTitleOrUntitled } from '../types/record.web.ts'
import css from './create.module.css'

export interface DocumentStartOption {
  /** Name in the URL: `blank`, `template`, `copy` or the name of a source. */
  readonly name: string
  readonly label: string
  /** Document type of the records to choose from; undefined for a blank document. */
  readonly of?: DocumentKind
  /** Returns the URL of the initial values for the chosen record. */
  readonly model: (kind: DocumentKind, chosen: string) => string
}

const copied: DocumentStartOption['model'] = ({ resource }, chosen) => `${resource.url}/${chosen}/copy`

/** Returns the start options of a document type: blank, records of its own type, and records of other types. */
const startsOf = (kind: DocumentKind): readonly [DocumentStartOption, ...DocumentStartOption[]] => [
  { name: 'blank', label: 'Blank', model: ({ resource }) => `${resource.url}/create_new` },
  { name: 'template', label: 'Template', of: kind, model: copied },
  { name: 'copy', label: 'Copy an existing document', of: kind, model: copied },
  ...Object.entries(kind.sources?.() ?? {}).map(([name, of]) => ({
    name,
    label: of.name,
    of,
    model: ({ resource }: DocumentKind, chosen: string) => `${resource.url}/model${queryString({ [name]: chosen })}`,
  })),
]

/** Returns the start options in display order: those that save the most work first, blank last. */
export const documentStartOptions = (kind: DocumentKind): readonly DocumentStartOption[] => {
  const [blank, template, copy, ...sources] = startsOf(kind)
  return [...sources, ...[template, copy].flatMap((one) => one ?? []), blank]
}

/** Returns the start option and the record that the URL specifies. */
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

/** Loads the components of the document type from which the user chooses a record. */
export function useSourceTypeComponents(
  parts: DocumentTypeComponents,
  { of }: DocumentStartOption,
): DocumentTypeComponents | undefined {
  return useDocumentTypeComponents(parts, of?.kind ?? parts.kind.kind)
}

interface Props {
  readonly kind: DocumentKind
  readonly from: DocumentStartOption
  readonly chosen: string | undefined
  readonly onChoose: (id: string) => void
}

const SIZE = 10

/** Filter for source records. Excludes deleted, replaced and rejected records. */
const STANDING = { retired: false, state: ['current', 'complete', 'draft'] }

/**
 * List of sources for a new document: templates, with the company's industry first, or the company's own documents of
 * this or another type.
 */
export function SourceDocumentPicker({ kind, from, chosen, onChoose }: Props) {
  const template = from.name === 'template'
  const [typed, setTyped] = useState('')
  const [q] = useDebouncedValue(typed, 250)
  const [industry, setIndustry] = useState<string | null>(null)
  const [page, setPage] = useState(1)
  const industries = useList(riskIndustry, { retired: false, pagination: false })
  const list = useList(
    { ...kind.resource, url: `${kind.resource.url}/${template ? 'templates' : 'list'}` },
    {
      ...(template ? { complete: true } : from.name === 'copy' ? { retired: false } : STANDING),
      q,
      'industry.id': industry,
      page,
      itemsPerPage: SIZE,
    },
  )
  const narrow = (change: () => void) => {
    setPage(1)
    change()
  }
  return (
    <section
      aria-label={template ? 'Templates' : from.name === 'copy' ? 'Documents to copy' : kind.nav.title}
      className={css.sources}
    >
      <Group gap="xs" grow preventGrowOverflow={false}>
        <TextInput
          aria-label="Search"
          placeholder="Search"
          leftSection={<IconSearch size={16} aria-hidden />}
          value={typed}
          onChange={(e) => narrow(() => setTyped(e.currentTarget.value))}
        />
        <Select
          aria-label="Industry"
          placeholder="All industries"
          clearable
          searchable
          clearButtonProps={{ 'aria-label': 'All industries' }}
          data={(industries.data?.['hydra:member'] ?? []).map((i) => ({ value: String(i.id), label: i.name ?? '' }))}
          value={industry}
          onChange={(value) => narrow(() => setIndustry(value))}
        />
      </Group>
      <PagedRows
        list={list}
        page={page}
        size={SIZE}
        onPage={setPage}
        empty={
          <EmptyState
            title={
              template ? 'No templates found' : from.name === 'copy' ? 'No documents to copy' : `No ${kind.noun} found`
            }
          >
            {q || industry ? 'Try different words, or show all industries.' : 'Start with a blank document.'}
          </EmptyState>
        }
      >
        {(rows) => (
          <Radio.Group
            aria-label={
              template
                ? 'Template to start with'
                : from.name === 'copy'
                  ? 'Document to copy'
                  : `${kind.name} to start from`
            }
            value={chosen ?? null}
            onChange={onChoose}
          >
            <div className={css.options}>
              {(rows as unknown as DocumentRecord[]).map((row) => (
                <Radio
                  key={row.id}
                  value={String(row.id)}
                  label={documentTitleOrUntitled(kind, row)}
                  description={<About row={row} template={template} />}
                  className={css.option}
                />
              ))}
            </div>
          </Radio.Group>
        )}
      </PagedRows>
    </section>
  )
}

function About({ row, template }: { readonly row: DocumentRecord; readonly template: boolean }) {
  const industry = linkedRecordName(riskIndustry, row.industry)
  const readyMade = template && clientIdOf(row) === PROVIDER_CLIENT_ID
  return (
    <Text component="span" size="sm" c="dimmed" className={css.about}>
      {/* Hides the document numbers of provider templates, because other companies have no use for them. */}
      {!readyMade && <span>{row.documentNumber}</span>}
      {industry && <span>{industry}</span>}
      {template ? (
        <span>{readyMade ? 'Ready-made template' : 'Your own template'}</span>
      ) : (
        <DocumentChips record={row} />
      )}
    </Text>
  )
}
