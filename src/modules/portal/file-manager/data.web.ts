import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import type { RecordOf } from '#kernel/resource.ts'
import { type Collection, callApi, type QueryParams, queryString } from '#web/api/client.ts'
import type { UploadedFile } from '#web/uploads/send.ts'
import { documentFolder, uploadedDocument } from '../files/uploaded-document.ts'

export type FolderRecord = RecordOf<typeof documentFolder>

interface Pairing {
  readonly folder: FolderRecord | null
  readonly uploadedDocuments: readonly UploadedFile[]
}

/** All of a client's files, grouped by folder. */
export interface FileTree {
  /** Folders in display order: each parent is followed by its subfolders. */
  readonly folders: readonly { readonly folder: FolderRecord; readonly depth: number; readonly count: number }[]
  /** Files by folder IRI; the key '' contains files that are in no folder. */
  readonly files: ReadonlyMap<string, readonly UploadedFile[]>
}

const URL = `${uploadedDocument.url}/folder_pairing`
const parentOf = (f: FolderRecord) => (typeof f.parent === 'string' ? f.parent : '')

/** Builds the folder tree as a flat list. A folder whose parent is unknown is placed at the top level. */
export function buildFileTree(pairs: readonly Pairing[]): FileTree {
  const files = new Map(pairs.map((p) => [p.folder?.['@id'] ?? '', p.uploadedDocuments]))
  const all = pairs.flatMap((p) => (p.folder ? [p.folder] : []))
  const known = new Set(all.map((f) => f['@id']))
  const under = Map.groupBy(all, (f) => (known.has(parentOf(f)) ? parentOf(f) : ''))
  const lay = (at: string, depth: number): FileTree['folders'] =>
    (under.get(at) ?? []).flatMap((folder) => [
      { folder, depth, count: files.get(folder['@id'])?.length ?? 0 },
      ...lay(folder['@id'], depth + 1),
    ])
  return { folders: lay('', 0), files }
}

export const useFileTree = (filter: QueryParams) =>
  useQuery({
    queryKey: [URL, filter],
    queryFn: ({ signal }) => callApi<Collection<Pairing>>('GET', `${URL}${queryString(filter)}`, undefined, { signal }),
    select: (found) => buildFileTree(found['hydra:member']),
    placeholderData: keepPreviousData,
  })

/** A file and its uploader, as the API returns them. */
export type FileRecord = RecordOf<typeof uploadedDocument> & UploadedFile

/** Fetches all versions of a file, newest first; `id` may be the ID of any version. */
export const useFileVersions = (id: string) =>
  useQuery({
    queryKey: [uploadedDocument.url, 'versions', id],
    queryFn: ({ signal }) =>
      callApi<Collection<FileRecord>>('GET', `${uploadedDocument.url}/${id}/versions`, undefined, { signal }),
    select: (found) => found['hydra:member'],
  })

/** Returns a function that refetches the files and folders after a change. */
export function useRefreshFiles() {
  const queries = useQueryClient()
  return async () => {
    await Promise.all(
      [URL, documentFolder.url, uploadedDocument.url].map((url) => queries.invalidateQueries({ queryKey: [url] })),
    )
  }
}
