import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { callApi } from '#web/api/client.ts'
import { urlQueryOptions } from '#web/api/reading.ts'
import { toast } from '#web/ui/toast.ts'
import { COMMISSION_TOTALS_URL, type CommissionTotals } from './sums.ts'

export const useCommissionTotals = () =>
  useQuery({
    queryKey: [COMMISSION_TOTALS_URL],
    ...urlQueryOptions<CommissionTotals>(COMMISSION_TOTALS_URL),
    refetchOnMount: 'always',
  })

/** Returns a mutation that runs an action on a commission month and then refetches all data. */
export function useCommissionMonthAction() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ month, path }: { readonly month: string; readonly path: string }) =>
      callApi('POST', `${month}/${path}`, {}),
    onSuccess: () => toast.saved('the month'),
    onError: (e) => toast.failed(e),
    onSettled: () => client.invalidateQueries(),
  })
}
