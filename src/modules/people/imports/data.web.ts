import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { RecordOf } from '#kernel/resource.ts'
import { callApi } from '#web/api/client.ts'
import { employeeImport } from './import.ts'

export type EmployeeImportRecord = RecordOf<typeof employeeImport>

const POLL_MS = 700

export const isImportInProgress = (one: EmployeeImportRecord | undefined): boolean =>
  one?.state === 'running' || one?.state === 'undoing'

/** Returns the query of an import, which is repeated while its job runs. */
export const importQueryOptions = (id: string) =>
  queryOptions({
    queryKey: [employeeImport.url, 'one', id] as const,
    queryFn: ({ signal }) => callApi<EmployeeImportRecord>('GET', `${employeeImport.url}/${id}`, undefined, { signal }),
    refetchInterval: (query) => (isImportInProgress(query.state.data) ? POLL_MS : false),
  })

export const uploadImportFile = (file: File, signal: AbortSignal): Promise<EmployeeImportRecord> => {
  const form = new FormData()
  form.append('file', file)
  return callApi<EmployeeImportRecord>('POST', employeeImport.url, form, { signal })
}

/** Returns a mutation that starts or discards an import, or stops, resumes or undoes its job. */
export function useImportAction(one: EmployeeImportRecord) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: ({ verb, body = {} }: { verb: 'start' | 'discard' | 'stop' | 'resume' | 'undo'; body?: object }) =>
      verb === 'discard'
        ? callApi<unknown>('DELETE', one['@id'])
        : callApi<unknown>(
            'POST',
            `${verb === 'start' ? one['@id'] : one.run}/${verb}`,
            body as Record<string, unknown>,
          ),
    onSuccess: (_, { verb }) =>
      queries.invalidateQueries({
        queryKey: verb === 'discard' ? [employeeImport.url, 'list'] : [employeeImport.url],
      }),
  })
}
