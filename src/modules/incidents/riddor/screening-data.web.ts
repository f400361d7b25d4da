import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { pickValues } from '#kernel/forms/visible.ts'
import type { RecordOf } from '#kernel/resource.ts'
import { urlQueryOptions } from '#web/api/reading.ts'
import { changeRecordIfUnchanged } from '#web/forms/store/change-if-unchanged.ts'
import { toast } from '#web/ui/toast.ts'
import { incidentReport } from '../reports/incident-report.ts'
import type { RiddorScreeningResponse } from './response.ts'
import type { SheetSection } from './sheet.ts'

export type Report = RecordOf<typeof incidentReport>
export type Person = Report['personnel'][number]

/** Changes of an incident’s facts: its own, and those of one person. */
export interface FactChanges {
  readonly report?: Partial<Report>
  readonly person?: { readonly id: number; readonly values: Partial<Person> }
}

export const useScreening = (report: Report) =>
  useQuery({
    queryKey: [incidentReport.url, 'screening', report.id],
    ...urlQueryOptions<RiddorScreeningResponse>(`${report['@id']}/screening`),
  })

export const useF2508Sheet = (report: Report) =>
  useQuery({
    queryKey: [incidentReport.url, 'riddor-sheet', report.id],
    ...urlQueryOptions<{ readonly sections: readonly SheetSection[] }>(`${report['@id']}/riddor-sheet`),
  })

/** Returns a function that reloads everything about incidents. */
export function useRefresh(): () => void {
  const queries = useQueryClient()
  return () => void queries.invalidateQueries({ queryKey: [incidentReport.url] })
}

/** Saves facts, unless another user has changed the same facts meanwhile. */
export function useSaveFacts(report: Report) {
  const refresh = useRefresh()
  return useMutation({
    mutationFn: ({ report: own, person }: FactChanges) => {
      const personnel =
        person && report.personnel.map((one) => (one.id === person.id ? { ...one, ...person.values } : one))
      const body = { ...own, ...(personnel ? { personnel } : {}) }
      return changeRecordIfUnchanged(report['@id'], body, pickValues(report, Object.keys(body)))
    },
    onSettled: refresh,
    onError: (e) => toast.failed(e),
  })
}

export const injuredPersonName = (report: Report, id: number | undefined): string =>
  report.personnel.find((person) => person.id === id)?.name || 'Injured person'
