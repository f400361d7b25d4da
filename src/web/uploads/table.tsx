import { Button, TextInput } from '@mantine/core'
import { useElementSize } from '@mantine/hooks'
import { IconRefresh, IconTrash } from '@tabler/icons-react'
import { type QueryClient, useQueries, useQuery, useQueryClient } from '@tanstack/react-query'
import { useContext } from 'react'
import { text } from '#kernel/fields.ts'
import { type AnswerUpload, MAX_CAPTION_LENGTH } from '#kernel/forms/uploads.ts'
import { toText } from '#kernel/text.ts'
import { type Collection, callApi } from '../api/client.ts'
import { InPlaceEditor } from '../forms/edit-in-place.tsx'
import { useIsPhone } from '../ui/is-phone.ts'
import css from '../ui/table.module.css'
import { UploadUrlContext } from './fetch.ts'
import { UPLOADS_URL, type UploadedFile } from './send.ts'
import { UploadedFileLink } from './thumb.tsx'
import uploads from './uploads.module.css'

const LABEL = text({ label: 'Label', max: MAX_CAPTION_LENGTH })
const keyOf = (iri: string) => [UPLOADS_URL, 'one', iri.slice(iri.lastIndexOf('/') + 1)]

/**
 * Loads uploaded documents by IRI, in the given order. `file` is missing while a document is loading or if it is not
 * accessible.
 */
export function useUploadedFiles(iris: readonly string[]) {
  const urlOf = useContext(UploadUrlContext)
  return useQueries({
    queries: iris.map((iri) => ({
      queryKey: urlOf(iri) === iri ? keyOf(iri) : [urlOf(iri)],
      queryFn: ({ signal }: { signal: AbortSignal }) => callApi<UploadedFile>('GET', urlOf(iri), undefined, { signal }),
    })),
    combine: (all) => all.map((one, i) => ({ iri: iris[i] as string, file: one.data, failed: one.isError })),
  })
}

/** Changes an uploaded document, and updates the document everywhere on screen. */
export async function changeUploadedFile(queries: QueryClient, iri: string, values: Partial<UploadedFile>) {
  const saved = await callApi<UploadedFile>('PUT', iri, values)
  queries.setQueryData(keyOf(iri), saved)
  await queries.invalidateQueries({ queryKey: [`${UPLOADS_URL}/folder_pairing`] })
  return saved
}

/** Label of a document, edited in place. */
export function UploadLabelField({ file }: { readonly file: UploadedFile }) {
  const queries = useQueryClient()
  return (
    <div className={css.bare}>
      <InPlaceEditor
        name="label"
        field={LABEL}
        value={file.label}
        of={file.name}
        onSave={(label) => changeUploadedFile(queries, file['@id'], { label: toText(label) })}
      />
    </div>
  )
}

interface Props {
  readonly value: readonly AnswerUpload[]
  readonly onDelete: (iri: string) => void
  /** Sets the label of a file in this list. If the label is empty, the file's own label is shown. */
  readonly onLabel: (iri: string, label: string) => void
  /** Replaces a file with its newer version. */
  readonly onTake: (iri: string, newest: string) => void
}

/**
 * Minimum width in pixels for a table. Narrower containers, such as those beside a preview, have room for cards only.
 */
const TABLE_FROM = 560

/** The specification's 'Uploaded Files' table. If there is little space, the files are shown as cards. */
export function UploadsTable({ value, onDelete, onLabel, onTake }: Props) {
  const phone = useIsPhone()
  const { ref, width } = useElementSize<HTMLDivElement>()
  const files = useUploadedFiles(value.map((v) => v['@id']))
  const rows = files.map(({ iri, file, failed }, i) => ({
    iri,
    name: file ? (
      <>
        <UploadedFileLink file={file} />
        <NewerVersionOffer file={file} onTake={(newest) => onTake(iri, newest['@id'])} />
      </>
    ) : failed ? (
      'File not found. Please delete this entry from the list.'
    ) : (
      'Loading…'
    ),
    label: (
      <TextInput
        aria-label={`Label for ${file?.name ?? 'this file'}`}
        placeholder={file?.label || 'Caption printed under the picture'}
        maxLength={MAX_CAPTION_LENGTH}
        value={value[i]?.label ?? ''}
        onChange={(e) => onLabel(iri, e.currentTarget.value)}
      />
    ),
    action: (
      <Button
        size="compact-sm"
        variant="subtle"
        color="red"
        leftSection={<IconTrash size={16} aria-hidden />}
        aria-label={`Delete ${file?.name ?? 'this file'}`}
        onClick={() => onDelete(iri)}
      >
        Delete
      </Button>
    ),
  }))
  const cards = phone || (width > 0 && width < TABLE_FROM)
  return (
    <div ref={ref}>
      {cards ? (
        <ul className={css.cards} aria-label="Uploaded Files">
          {rows.map((row) => (
            <li key={row.iri}>
              {row.name}
              {row.label}
              {row.action}
            </li>
          ))}
        </ul>
      ) : (
        <table className={css.table} aria-label="Uploaded Files">
          <thead>
            <tr>
              <th scope="col">File</th>
              <th scope="col">Label</th>
              <th scope="col">Actions</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.iri}>
                <td>{row.name}</td>
                <td>{row.label}</td>
                <td>{row.action}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </div>
  )
}

interface NewerVersionOfProps {
  readonly iri: string
  readonly onTake: (newest: UploadedFile) => void
}

/** Loads a file by its IRI and offers its newer version. */
export function NewerVersionOfferByIri({ iri, onTake }: NewerVersionOfProps) {
  const [one] = useUploadedFiles([iri])
  return one?.file ? <NewerVersionOffer file={one.file} onTake={onTake} /> : null
}

interface NewerVersionOfferProps {
  readonly file: UploadedFile
  readonly onTake: (newest: UploadedFile) => void
}

/** Offers the newest version of a file, unless that version is retired. */
function NewerVersionOffer({ file, onTake }: NewerVersionOfferProps) {
  const newest = useQuery({
    queryKey: [`${file['@id']}/versions`, 'newest'],
    queryFn: ({ signal }) =>
      callApi<Collection<UploadedFile>>('GET', `${file['@id']}/versions?itemsPerPage=1`, undefined, { signal }),
    enabled: file.replaced === true,
  })
  const [found] = newest.data?.['hydra:member'] ?? []
  if (!file.replaced || !found || found.retired || found['@id'] === file['@id']) return null
  return (
    <div className={uploads.newer}>
      <span>{`Version ${found.version} is available. You are using version ${file.version}.`}</span>
      <Button
        size="compact-sm"
        variant="default"
        leftSection={<IconRefresh size={16} aria-hidden />}
        aria-label={`Use newer version of ${file.name}`}
        onClick={() => onTake(found)}
      >
        Use newer version
      </Button>
    </div>
  )
}
