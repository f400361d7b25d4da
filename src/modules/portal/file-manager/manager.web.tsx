import '@mantine/core/styles/Switch.layer.css'
import '@mantine/core/styles/Combobox.layer.css'
import { Alert, Button, Select, Switch } from '@mantine/core'
import { IconFolderPlus } from '@tabler/icons-react'
import { Suspense, useState } from 'react'
import { z } from 'zod'
import { can } from '#kernel/can.ts'
import { PROVIDER_CLIENT_ID } from '#kernel/roles.ts'
import type { QueryParams } from '#web/api/client.ts'
import { useActor } from '#web/api/me.ts'
import { RelativeTimeText } from '#web/dates/relative.tsx'
import { londonToday } from '#web/dates/uk-dates.ts'
import { SearchBox } from '#web/lists/search-box.tsx'
import { useUrlState } from '#web/lists/use-url-state.ts'
import { FoundPartText } from '#web/ui/found-part.tsx'
import { useIsPhone } from '#web/ui/is-phone.ts'
import { lazyComponent } from '#web/ui/lazy-component.tsx'
import { Page } from '#web/ui/page.tsx'
import { PersonName } from '#web/ui/people/person-name.tsx'
import { EmptyState, ErrorState, LoadingRows, NoResults, OfflineNotice } from '#web/ui/states.tsx'
import table from '#web/ui/table.module.css'
import { FileDrop } from '#web/uploads/file-drop.tsx'
import { UploadsProgress } from '#web/uploads/progress.tsx'
import { useDocumentUploads } from '#web/uploads/queue.ts'
import type { UploadedFile } from '#web/uploads/send.ts'
import { UploadLabelField } from '#web/uploads/table.tsx'
import { formatFileSize, UploadedFileLink } from '#web/uploads/thumb.tsx'
import { canChangeFile, DEFAULT_REMINDER_DAYS, documentFolder } from '../files/uploaded-document.ts'
import { FileActions } from './actions.web.tsx'
import { type FileTree, useFileTree, useRefreshFiles } from './data.web.ts'
import { ExpiryChip } from './expiry-chip.web.tsx'
import { FolderDialog } from './folder-dialog.web.tsx'
import { FolderList } from './folder-list.web.tsx'
import css from './manager.module.css'

interface Props {
  readonly files: readonly UploadedFile[]
  readonly folders: FileTree['folders']
  readonly showFolder: boolean
  readonly onOpen: (file: UploadedFile) => void
}

/** List of files with thumbnail, label, uploader and time; shown as cards on a phone. */
function FileList({ files, folders, showFolder, onOpen }: Props) {
  const phone = useIsPhone()
  const actor = useActor()
  const names = new Map(folders.map(({ folder }) => [folder['@id'], folder.name ?? '']))
  const rows = files.map((file) => ({
    file,
    name: <UploadedFileLink file={file} />,
    chips: (
      <>
        <FoundPartText part={file.found} />
        {(file.version > 1 || file.expires) && (
          <span className={css.chips}>
            {file.version > 1 && <span className={css.dim}>{`Version ${file.version}`}</span>}
            <ExpiryChip file={file} />
          </span>
        )}
      </>
    ),
    label: canChangeFile(actor, file) ? <UploadLabelField file={file} /> : <span>{file.label}</span>,
    who: <PersonName username={file.author} />,
    when: <RelativeTimeText at={file.createdAt} />,
    folder: names.get(file.folder ?? '') ?? '—',
    actions: <FileActions file={file} folders={folders} onOpen={() => onOpen(file)} />,
  }))
  if (phone)
    return (
      <ul className={table.cards} aria-label="Files">
        {rows.map(({ file, name, chips, label, who, when, folder, actions }) => (
          <li key={file.id}>
            <div className={css.cardHead}>
              {name}
              {actions}
            </div>
            {chips}
            {label}
            <span className={css.dim}>
              {who}, {when}, {formatFileSize(file.size)}
              {showFolder && file.folder && `, in ${folder}`}
            </span>
          </li>
        ))}
      </ul>
    )
  return (
    <div className={css.scroll}>
      <table className={table.table} aria-label="Files">
        <thead>
          <tr>
            <th scope="col">File</th>
            <th scope="col">Label</th>
            <th scope="col">Uploaded</th>
            <th scope="col">Actions</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ file, name, chips, label, who, when, folder, actions }) => (
            <tr key={file.id}>
              <td className={css.nameCell}>
                {name}
                {chips}
              </td>
              <td className={css.labelCell}>
                {label}
                {showFolder && file.folder && <p className={css.dim}>{`In ${folder}`}</p>}
              </td>
              <td className={css.who}>
                {who}
                <br />
                <span className={css.dim}>
                  {when}, {formatFileSize(file.size)}
                </span>
              </td>
              <td>{actions}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** Options for filtering the file list by expiry date. */
const EXPIRY_FILTERS = [
  { value: '', label: 'Any expiry date' },
  { value: 'soon', label: `Expires within ${DEFAULT_REMINDER_DAYS} days` },
  { value: 'expired', label: 'Expired' },
] as const

const expiringParams = (chosen: string): QueryParams =>
  chosen === 'expired'
    ? { 'expires[strictly_before]': londonToday() }
    : chosen === 'soon'
      ? {
          'expires[after]': londonToday(),
          'expires[before]': Temporal.PlainDate.from(londonToday()).add({ days: DEFAULT_REMINDER_DAYS }).toString(),
        }
      : {}

const STATE = z.object({
  q: z.string().default(''),
  /** ID of the chosen folder, `none` for files that are in no folder, or empty for all files. */
  folder: z
    .string()
    .regex(/^(none|\d+)?$/)
    .default(''),
  retired: z.enum(['', 'true']).default(''),
  expiring: z.enum(['', 'soon', 'expired']).default(''),
  /** ID of any version of the open file. */
  file: z.string().regex(/^\d*$/).default(''),
})

const details = () => import('./details.web.tsx')
const FileDetails = lazyComponent(details)

/** File manager: a client's uploaded files by folder. */
export default function FileManager() {
  const actor = useActor()
  const { clientId } = actor
  const [state, set] = useUrlState(STATE)
  const [creating, setCreating] = useState(false)
  const tree = useFileTree({ q: state.q, retired: state.retired || 'false', ...expiringParams(state.expiring) })
  const refresh = useRefreshFiles()
  const folder = tree.data?.folders.find((f) => String(f.folder.id) === state.folder)?.folder
  const { uploads, add, retry, remove } = useDocumentUploads({ folder: folder?.['@id'], onDone: () => void refresh() })
  return (
    <Page
      title="File manager"
      actions={
        can(actor, 'create', documentFolder) && (
          <Button
            variant="default"
            leftSection={<IconFolderPlus size={16} aria-hidden />}
            onClick={() => setCreating(true)}
          >
            New folder
          </Button>
        )
      }
    >
      <OfflineNotice />
      {clientId === PROVIDER_CLIENT_ID && (
        <Alert color="yellow">The provider’s files are templates, so every client can read them.</Alert>
      )}
      <div className={css.tools}>
        <SearchBox label="Search files" value={state.q} onChange={(q) => set({ q })} />
        <div className={css.filters}>
          <Select
            aria-label="Expiry"
            data={EXPIRY_FILTERS}
            value={state.expiring}
            allowDeselect={false}
            onChange={(expiring) => set({ expiring: (expiring ?? '') as typeof state.expiring })}
          />
          <Switch
            label="Show retired files"
            classNames={{ label: css.retired ?? '' }}
            styles={{ body: { alignItems: 'center' } }}
            checked={state.retired === 'true'}
            onChange={(e) => set({ retired: e.currentTarget.checked ? 'true' : '' })}
          />
        </div>
      </div>
      {tree.error ? (
        <ErrorState error={tree.error} onRetry={() => void tree.refetch()} />
      ) : !tree.data ? (
        <LoadingRows />
      ) : (
        <div className={css.columns}>
          <FolderList tree={tree.data} chosen={state.folder} onChoose={(next) => set({ folder: next })} />
          <div className={css.main}>
            <FileDrop label={`Upload to ${folder?.name ?? 'no folder'}`} onFiles={add} />
            <UploadsProgress uploads={uploads} onRetry={retry} onRemove={remove} />
            <Files
              tree={tree.data}
              chosen={state.folder}
              narrowed={state.q !== '' || state.retired !== '' || state.expiring !== ''}
              onClear={() => set({ q: '', retired: '', expiring: '' })}
              onOpen={(file) => set({ file: String(file.id) })}
            />
          </div>
        </div>
      )}
      {state.file !== '' && (
        <Suspense fallback={null}>
          <FileDetails id={state.file} onClose={() => set({ file: '' })} />
        </Suspense>
      )}
      <FolderDialog opened={creating} onClose={() => setCreating(false)} {...(folder ? { inside: folder } : {})} />
    </Page>
  )
}

interface FilesProps {
  readonly tree: FileTree
  readonly chosen: string
  readonly narrowed: boolean
  readonly onClear: () => void
  readonly onOpen: (file: UploadedFile) => void
}

function Files({ tree, chosen, narrowed, onClear, onOpen }: FilesProps) {
  const at = tree.folders.find((f) => String(f.folder.id) === chosen)?.folder['@id']
  const files =
    chosen === ''
      ? [...tree.files.values()].flat().toSorted((a, b) => b.id - a.id)
      : (tree.files.get(chosen === 'none' ? '' : (at ?? '?')) ?? [])
  if (files.length) return <FileList files={files} folders={tree.folders} showFolder={chosen === ''} onOpen={onOpen} />
  if (narrowed) return <NoResults onClear={onClear} />
  return <EmptyState title="No files here yet">Drop files above, or move them here from another folder.</EmptyState>
}
