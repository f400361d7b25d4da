import type { Resource } from '#kernel/resource.ts'
import { type Params, queryString } from '../../api/client.ts'
import { saveFile } from '../../uploads/fetch.ts'
import { type Column, fieldsBehind } from '../columns.tsx'

/** Saves what a list finds to the person's disk, with the columns that are on the screen. Throws an ApiError. */
export function saveList(
  r: Resource,
  columns: readonly Column<never>[],
  asked: Params,
  format: 'csv' | 'xlsx',
): Promise<void> {
  const query = queryString({ ...asked, columns: fieldsBehind(r, columns).join(',') })
  return saveFile(`${r.url}/export.${format}${query}`, `${r.path.replaceAll('_', '-')}.${format}`)
}
