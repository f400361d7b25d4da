import { UnstyledButton, VisuallyHidden } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { z } from 'zod'
import type { RecordOf } from '#kernel/resource.ts'
import type { Actor } from '#kernel/roles.ts'
import { type Collection, queryString } from '#web/api/client.ts'
import { useActor } from '#web/api/me.ts'
import { urlQueryOptions } from '#web/api/reading.ts'
import { DateTimeText } from '#web/dates/relative.tsx'
import { SearchBox } from '#web/lists/search-box.tsx'
import { useUrlState } from '#web/lists/use-url-state.ts'
import page from '#web/ui/page.module.css'
import { Page } from '#web/ui/page.tsx'
import { ErrorState, LoadingRows, NoResults, OfflineNotice } from '#web/ui/states.tsx'
import { toast } from '#web/ui/toast.ts'
import { downloadFile } from '#web/uploads/fetch.ts'
import { fileTypeLabel, formatFileSize, UploadThumbnail } from '#web/uploads/thumb.tsx'
import { ExpiryChip } from '../file-manager/expiry-chip.web.tsx'
import type { documentFolder, uploadedDocument } from '../files/uploaded-document.ts'
import css from './downloads.module.css'

type FileRecord = RecordOf<typeof uploadedDocument>
export interface DownloadFolder {
  readonly folder: RecordOf<typeof documentFolder>
  readonly uploadedDocuments: readonly FileRecord[]
}

const STATE = z.object({ q: z.string().default('') })

interface Props {
  readonly title: string
  readonly about: string
  /** Address of the folders with their files. */
  readonly url: string
  /** Shown instead of the folders while they have no files. */
  readonly empty: ReactNode
}

/** Page with the company's and the provider's files of marked folders, by folder. */
export function DownloadFolders({ title, about, url, empty }: Props) {
  const actor = useActor()
  const [state, set] = useUrlState(STATE)
  const found = useQuery({
    queryKey: [url, state],
    ...urlQueryOptions<Collection<DownloadFolder>>(`${url}${queryString(state)}`),
    placeholderData: keepPreviousData,
  })
  const groups = found.data?.['hydra:member'].filter(({ uploadedDocuments: files }) => files.length > 0)
  return (
    <Page title={title} about={about}>
      <OfflineNotice />
      <div className={css.tools}>
        <SearchBox label="Search downloads" value={state.q} onChange={(q) => set({ q })} />
      </div>
      {found.error ? (
        <ErrorState error={found.error} onRetry={() => void found.refetch()} />
      ) : !groups ? (
        <LoadingRows />
      ) : groups.length ? (
        groups.map((group) => <Folder key={group.folder.id} group={group} actor={actor} />)
      ) : state.q ? (
        <NoResults onClear={() => set({ q: '' })} />
      ) : (
        empty
      )}
    </Page>
  )
}

/** Returns true for the provider's folders, which all clients share. */
const isShared = ({ folder }: DownloadFolder, actor: Actor): boolean =>
  folder.client !== `/api/portal/clients/${actor.clientId}`

function Folder({ group, actor }: { readonly group: DownloadFolder; readonly actor: Actor }) {
  const { folder, uploadedDocuments: files } = group
  return (
    <section className={page.card} aria-labelledby={`folder-${folder.id}`}>
      <h2 id={`folder-${folder.id}`}>
        {folder.name} {isShared(group, actor) && <span className={css.dim}>from your provider</span>}
      </h2>
      <ul className={css.files} aria-label={folder.name ?? ''}>
        {files.map((file) => (
          <li key={file.id}>
            <Download file={file} />
          </li>
        ))}
      </ul>
    </section>
  )
}

/** A file that is downloaded with a single click. */
function Download({ file }: { readonly file: FileRecord }) {
  const save = () => void downloadFile(`${file.url}?original=true`, file.name).catch((e) => toast.failed(e, save))
  return (
    <div className={css.file}>
      <UploadThumbnail file={file} />
      <div className={css.words}>
        <UnstyledButton className={css.name} onClick={save}>
          <VisuallyHidden>Download</VisuallyHidden> {file.label || file.name}
        </UnstyledButton>
        <span className={css.dim}>
          {file.label ? `${file.name}, ` : ''}
          {fileTypeLabel(file.type)}, {formatFileSize(file.size)}, <DateTimeText at={file.createdAt} day />
        </span>
        <ExpiryChip file={file} />
      </div>
      <IconDownload size={20} aria-hidden />
    </div>
  )
}
