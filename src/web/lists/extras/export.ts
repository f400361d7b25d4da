import { labelOf } from '#kernel/fields.ts'
import type { Resource } from '#kernel/resource.ts'
import { LONDON_TIME_ZONE, now } from '#kernel/time.ts'
import { ApiError, callApi, type QueryParams, queryString } from '../../api/client.ts'
import { downloadFile } from '../../uploads/fetch.ts'
import type { ListColumn } from '../columns/columns.tsx'
import { collectColumnFields } from '../columns/pick-columns.ts'
import { type BatchJobRecord, followBatchJob } from './runs.ts'

export type ExportFormat = 'csv' | 'xlsx'

/** Returns the file name, made of the label and the time: "Leads 2026-11-23 0930.csv". */
export const formatExportFileName = (label: string, at: Temporal.ZonedDateTime, format: ExportFormat): string =>
  `${label} ${at.toPlainDate().toString()} ${at.toPlainTime().toString({ smallestUnit: 'minute' }).replace(':', '')}.${format}`

/**
 * Returns the query parameters for the exported columns with their headings on screen, such as "Due". A column with
 * several fields has one heading for each field, such as "Signed: asked".
 */
export function exportColumnParams(r: Pick<Resource, 'fields'>, columns: readonly ListColumn<never>[]): QueryParams {
  const asked = columns.flatMap((column) => {
    const names = collectColumnFields(r, [column])
    const title = column.inFile ?? column.title
    return names.map(
      (name) => [name, names.length === 1 ? title : `${title}: ${called(r, name).toLowerCase()}`] as const,
    )
  })
  return { columns: asked.map(([name]) => name).join(','), titles: asked.map(([, title]) => title).join('|') }
}

const called = ({ fields }: Pick<Resource, 'fields'>, name: string) =>
  fields[name] ? labelOf(name, fields[name]) : name

/**
 * Downloads the rows that match a list's query, with the columns and headings on screen. A long list is written by a
 * batch job: `onRun` is called when the job starts, and the file is downloaded when the job ends. Throws an ApiError if
 * a request fails.
 */
export async function exportList(
  r: Resource,
  label: string,
  columns: readonly ListColumn<never>[],
  asked: QueryParams,
  format: ExportFormat,
  onRun: () => void,
): Promise<void> {
  const query = queryString({ ...asked, ...exportColumnParams(r, columns) })
  const name = formatExportFileName(label, now().toZonedDateTimeISO(LONDON_TIME_ZONE), format)
  try {
    await downloadFile(`${r.url}/export.${format}${query}`, name)
  } catch (e) {
    if (!(e instanceof ApiError) || e.status !== 413) throw e
    onRun()
    await saveLongList(`${r.url}${query}`, format, name)
  }
}

async function saveLongList(from: string, format: ExportFormat, name: string): Promise<void> {
  const begun = await callApi<BatchJobRecord>('POST', '/api/portal/exports', { from, format })
  const { file, error } = await followBatchJob(begun, () => {})
  if (!file) throw new ApiError(409, error ?? 'Could not export the list. Please try again.')
  await downloadFile(file['@id'], name)
}
