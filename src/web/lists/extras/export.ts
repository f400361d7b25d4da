import type { Resource } from '#kernel/resource.ts'
import { ApiError, call, type Params, queryString } from '../../api/client.ts'
import { saveFile } from '../../uploads/fetch.ts'
import type { Column } from '../columns/columns.tsx'
import { fieldsBehind } from '../columns/pick-columns.ts'
import { followRun, type Run } from './runs.ts'

type Format = 'csv' | 'xlsx'

/**
 * Saves what a list finds to the person's disk, with the columns that are on the screen. One that is too long to wait for is
 * written by a run, of which `onRun` is told, and saved when that has ended. Throws an ApiError.
 */
export async function saveList(
  r: Resource,
  columns: readonly Column<never>[],
  asked: Params,
  format: Format,
  onRun: () => void,
): Promise<void> {
  const query = queryString({ ...asked, columns: fieldsBehind(r, columns).join(',') })
  try {
    await saveFile(`${r.url}/export.${format}${query}`, `${r.path.replaceAll('_', '-')}.${format}`)
  } catch (e) {
    if (!(e instanceof ApiError) || e.status !== 413) throw e
    onRun()
    await saveLongList(`${r.url}${query}`, format)
  }
}

async function saveLongList(from: string, format: Format): Promise<void> {
  const begun = await call<Run>('POST', '/api/portal/exports', { from, format })
  const { file, error } = await followRun(begun, () => {})
  if (!file) throw new ApiError(409, error ?? 'The list could not be exported. Please try again.')
  await saveFile(file['@id'], file.name)
}
